/** Runs the command line as a person does, in processes of its own, against a model server on this machine. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { systemClock } from '#lib/server/clock'
import { createVault } from '#lib/server/secrets/secrets'
import { root } from '../lib/setup/place.mjs'
import { type ModelServer, startModelServer } from './model-server/model-server'

const key = 'sk-of-the-lab-0123456789'
const question = "What's 2 + 2?"

let place: ReturnType<typeof temporaryFolder>
let server: ModelServer
beforeAll(async () => {
  place = temporaryFolder()
  server = await startModelServer({ behaviour: () => ({ say: { text: 'It is 4.' } }), key })
  write('agent.json', {
    name: 'lab-agent',
    model: { provider: 'openai-compatible', endpoint: 'lab', name: 'qwen3' },
  })
})
afterAll(async () => {
  place.remove()
  await server.close()
})

function write(name: string, value: unknown): void {
  fs.writeFileSync(path.join(place.folder, name), JSON.stringify(value))
}

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Starts the program from the folder of the agent's file, with only the given variables. */
function loopwright(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const child = spawn(process.execPath, [path.join(root, 'lib/setup/bin.mjs'), ...args], {
    cwd: place.folder,
    env: {
      NODE_ENV: 'production',
      PATH: process.env.PATH ?? '',
      LOOPWRIGHT_DATA: path.join(place.folder, 'own'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })))
}

/** A data folder as a server leaves it, with the endpoint, its key and a price. */
function dataFolder(): string {
  const folder = path.join(place.folder, 'kept')
  fs.mkdirSync(folder, { recursive: true })
  const stores = openStores(path.join(folder, 'loopwright.db'))
  stores.settings.set('providers', { lab: { baseUrl: server.openaiUrl } })
  stores.settings.set('prices', { rows: [{ model: 'qwen3', input: 1_000, output: 1_000 }] })
  const vault = createVault({ store: stores.secrets, folder, clock: systemClock })
  vault.save({ name: 'LAB_API_KEY', value: key, origins: [new URL(server.openaiUrl).origin] })
  stores.close()
  return folder
}

describe('an agent on an added endpoint, at the command line', () => {
  test('answers with --endpoint and its key from the environment', async () => {
    const flag = `--endpoint=lab=${server.openaiUrl}`
    const { code, out, err } = await loopwright(['run', 'agent.json', question, flag], { LAB_API_KEY: key })
    expect([code, out], err).toEqual([0, 'It is 4.\n'])
  })

  test('answers with its address from the environment', async () => {
    const env = { LOOPWRIGHT_ENDPOINT_LAB: server.openaiUrl, LAB_API_KEY: key }
    const { code, out, err } = await loopwright(['run', 'agent.json', question], env)
    expect([code, out], err).toEqual([0, 'It is 4.\n'])
  })

  test('answers with the address, key and price of a data folder', async () => {
    const folder = dataFolder()
    const { code, out, err } = await loopwright(['run', 'agent.json', question, '--json', '--data', folder])
    expect(code, err).toBe(0)
    const end = JSON.parse(out.trim().split('\n').at(-1) ?? '')
    expect(end).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'It is 4.' })
    expect(end.costUsd).toBeGreaterThan(0)
    expect(out + err).not.toContain(key)
    expect((await loopwright(['validate', 'agent.json', '--data', folder])).out).toBe('agent.json: valid\n')
  })

  test('says what is missing in words for a terminal, before the run and at its end', async () => {
    const { code, err } = await loopwright(['run', 'agent.json', question])
    expect(code).toBe(1)
    expect(err).toContain(
      'agent.json:model/endpoint: warning: There is no endpoint "lab" here. Give its address with --endpoint lab=',
    )
    expect(err).toContain('failed: No address is set for "lab". Enter it with --endpoint lab=URL.')
    expect(err).not.toContain('Settings')
    const wrong = await loopwright(['run', 'agent.json', question, `--endpoint=lab=${server.openaiUrl}`], {
      LAB_API_KEY: 'sk-wrong-0123456789',
    })
    expect(wrong.code).toBe(1)
    expect(wrong.err).toContain('Check it in LAB_API_KEY.')
  })

  test('validate lists what a run would lack, and the file stays valid', async () => {
    const { code, out } = await loopwright(['validate', 'agent.json'])
    expect(code).toBe(0)
    expect(out).toMatch(/^agent\.json:model\/endpoint: warning: There is no endpoint "lab" here\./)
    expect(out).toMatch(/agent\.json: valid, but a run here would lack one thing\n$/)
    const found = await loopwright(['validate', 'agent.json', '--endpoint', `lab=${server.openaiUrl}`])
    expect([found.code, found.out]).toEqual([0, 'agent.json: valid\n'])
  })

  test('validate lists a missing key, database, price and secret at once', async () => {
    write('much.json', {
      name: 'much',
      model: { provider: 'openai', name: 'gpt-unheard-of' },
      tools: [{ use: 'builtin', tools: ['sql.*'], preset: { 'sql.execute': { database: 'lost' } } }],
      policies: [
        { use: 'budget', usd: 1 },
        { use: 'hook', url: 'http://127.0.0.1:9/', headers: { authorization: { secret: 'MY_KEY' } } },
      ],
    })
    const { code, out } = await loopwright(['validate', 'much.json'])
    expect(code, out).toBe(0)
    for (const words of [
      'There is no key for OpenAI. Set OPENAI_API_KEY, or',
      'There is no database "lost" here, only retail.',
      'The price of gpt-unheard-of is not known',
      'The secret MY_KEY is not available here.',
      'valid, but a run here would lack 4 things',
    ])
      expect(out).toContain(words)
    expect(out).not.toContain('under Settings,')
  })

  test.each([
    [['run', 'agent.json', 'x', '--endpoint', 'lab'], '--endpoint must be a name and an address'],
    [
      ['validate', 'agent.json', '--endpoint', 'Big Name=http://127.0.0.1:1/v1'],
      '--endpoint must be a name and an address',
    ],
    [
      ['validate', 'agent.json', '--endpoint', 'lab=nowhere'],
      '--endpoint lab: This must be an http or https address',
    ],
  ])('%j is refused in one sentence', async (args, sentence) => {
    const { code, err } = await loopwright(args)
    expect(code).toBe(2)
    expect(err).toContain(sentence)
  })
})
