import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import type { Behaviour, Said } from '#e2e/model-server/behaviour'
import { type ModelServer, startModelServer } from '#e2e/model-server/model-server'
import type { Asked } from '#e2e/model-server/responder'
import { isDeep } from '#e2e/test-depth'
import type { EventOf, RunEvent } from '#lib/spec/event'
import { Database } from '#lib/sqlite/driver'
import { bundleFixture } from './bundle.fixture'

const secret = 'canary-Zq7"4711/\\+key'
const turned = [...secret].reverse().join('')
/** The secret in every form in which it might be stored, and parts of it that a cut could leave. */
const forms = [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  'canary-Zq7',
  '4711',
  Buffer.from(secret).toString('base64').slice(0, 20),
  Buffer.from(secret).toString('hex'),
]

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
let model: ModelServer
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/secret-kill')
  model = await startModelServer({ behaviour: answerTo })
})
afterAll(async () => {
  await model.close()
  program.remove()
  place.remove()
})

/** The model makes one call as the question says, then answers. */
function answerTo({ text }: Asked): Behaviour {
  const question = /"content":"(look|send) (\w+)"/.exec(text)
  const [, name = 'look', note = ''] = question ?? []
  const args = JSON.stringify({ key: secret, note })
  const call =
    note === 'cut' ? { name, args: args.slice(0, -30) } : { name, args, pieces: args.match(/.{1,7}/gs) ?? [] }
  const isOver = /"role":"tool"/.test(text)
  const said: Said = isOver
    ? { text: 'Done.' }
    : { calls: [call], ...(note === 'cut' && { finish: 'length' }) }
  return { say: said, paceMs: 15 }
}

interface Life {
  readonly events: RunEvent[]
  readonly printed: string
  readonly signal: unknown
}

/** One life of the server, killed when it prints `killAt`. */
async function life(words: readonly string[], killAt?: string): Promise<Life> {
  const child = spawn(process.execPath, [program.file, place.folder, model.openaiUrl, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CANARY: secret },
  })
  let printed = ''
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (killAt !== undefined && printed.includes(killAt)) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  const lines = printed.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
  return { events: lines.map((line) => JSON.parse(line)), printed: printed + log, signal }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function expectNowhere(printed: string): void {
  for (const form of forms) expect(printed).not.toContain(form)
  const files = filesIn(place.folder)
  expect(files.some((file) => file.endsWith('loopwright.db'))).toBe(true)
  for (const file of files)
    for (const form of forms)
      expect({ file, found: readFileSync(file).includes(form) }).toEqual({ file, found: false })
}

function keptCalls(): unknown[] {
  const database = new Database(path.join(place.folder, 'loopwright.db'), { readonly: true })
  try {
    return database.prepare('select call_id as callId, source from originals').all()
  } finally {
    database.close()
  }
}

const results = (events: readonly RunEvent[]) =>
  events
    .filter((each): each is EventOf<'call.finished'> => each.type === 'call.finished')
    .map((each) => each.result.text)

test.runIf(isDeep)(
  'S0-30 S3-22 F2: a secret in arguments is in no file, no log and no stream, however the run ends and whenever the server is killed @deep',
  async () => {
    const questions = ['look plain', 'look fail', 'look throw', 'look hang', 'look cut']
    const first = await life(questions)
    expect(first.signal).toBe(null)
    expectNowhere(first.printed)
    expect(keptCalls()).toEqual([])
    expect(results(first.events)).toEqual([
      `looked with [secret], which is ${turned}, note plain`,
      'Error: refused [secret]',
      expect.stringContaining('broke at [secret]'),
      expect.stringMatching(/interrupted|stopped/),
      expect.stringContaining('cut off'),
    ])
    const early = await life(['early', 'look plain'])
    expect(results(early.events)).toEqual([`looked with [secret], which is ${turned}, note plain`])

    const killed = await life(['look slow'], '"call.progressed"')
    expect(killed.signal).toBe('SIGKILL')
    expectNowhere(killed.printed)
    expect(keptCalls()).toEqual([{ callId: 'call_1_1', source: 'model' }])

    const resumed = await life(['go on'])
    expect(resumed.signal).toBe(null)
    expectNowhere(resumed.printed)
    expect(results(resumed.events)).toContain(`looked with [secret], which is ${turned}, note slow`)
    expect(keptCalls()).toEqual([])

    const waiting = await life(['send later'], '"approval.requested"')
    expect(waiting.signal).toBe('SIGKILL')
    expect(keptCalls()).toEqual([{ callId: 'call_1_1', source: 'model' }])
    const approved = await life(['go on'])
    expectNowhere(approved.printed)
    expect(results(approved.events).join('\n')).toContain(`sent ${turned}, note by a person`)
    expect(keptCalls()).toEqual([])
    // The provider wrote the secret itself; it is never sent back.
    for (const { text } of model.requests) for (const form of forms) expect(text).not.toContain(form)
  },
  120_000,
)
