/**
 * An agent with every ability, exported and taken to an empty server and to the command line: what is lacking there is
 * named in one sentence each, and with that given it runs as before.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { zipOf } from '#lib/sandbox/zip.fixture'
import { isRunEnd, type RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, type House, openHouse } from '../house.fixture'

const never = new AbortController().signal
const page = '# Returns\n\nAfter 30 days there is a voucher.\n'
const skillText = '---\nname: house-style\ndescription: Rules for letters.\n---\n\nBe kind.\n'
const scripted = (turns: JsonObject[]) => ({ provider: 'scripted', name: 'script', turns })
const call = (name: string, args: JsonObject) => ({ calls: [{ name, args }] })

const worker: JsonObject = {
  name: 'worker',
  description: 'Adds numbers.',
  model: scripted([call('math.calculate', { expression: '20 + 22' }), { text: 'It is 42.' }]),
  tools: [{ use: 'builtin', tools: ['math.calculate'] }],
}

function lead(hash: string): JsonObject {
  return {
    name: 'lead',
    model: scripted([
      call('plan', { command: 'create', title: 'Answer', steps: ['Look', 'Ask', 'Write'] }),
      call('knowledge.search', { query: 'voucher after 30 days' }),
      call('skill.load', { skill: 'house-style' }),
      call('worker', { task: 'Add 20 and 22.' }),
      call('memory.record', { notes: ['The customer likes vouchers.'] }),
      call('human.ask', { question: 'Send it?', choices: ['Yes', 'No'] }),
      { text: 'It is sent.' },
    ]),
    tools: [
      { use: 'builtin', tools: ['human.ask'] },
      { use: 'plan' },
      { use: 'memory', mode: 'agent' },
      { use: 'knowledge', collections: ['handbook'] },
      { use: 'agent', agent: 'worker' },
    ],
    skills: [{ name: 'house-style', hash }],
    policies: [{ use: 'personas', names: { 'knowledge.*': 'Clerk' } }],
  }
}

async function* bytes(content: string | Uint8Array) {
  yield Buffer.from(content)
}

async function giveKnowledge({ app }: House): Promise<void> {
  app.knowledge.create({ name: 'handbook' })
  await app.knowledge.addFile('handbook', { name: 'returns.md', content: bytes(page) }, never)
}

/** Runs the agent; the person says yes. Returns what each call came to, and how the run ended. */
async function run({ app }: House, agentId: string): Promise<string[]> {
  const { id } = app.runs.create({ agentId, input: 'Is there a voucher?', user: 'ada' })
  for await (const frame of app.runs.watch(id, 0, never)) {
    if (frame === 'beat') continue
    const event: RunEvent = JSON.parse(frame.json)
    if (event.type === 'input.requested') void app.runs.reply(id, event.callId, { text: 'Yes' })
    if (isRunEnd(event)) break
  }
  return ended(eventsIn(app.runs, id))
}

function ended(events: readonly RunEvent[]): string[] {
  return events.flatMap((each) => {
    if (each.type === 'call.finished' && each.parent === undefined)
      return [`${each.persona ?? '-'} ${each.name} ${each.status}: ${each.result.text.slice(0, 60)}`]
    return isRunEnd(each) && each.type === 'run.finished' ? [`${each.status}: ${each.answer}`] : []
  })
}

interface Taken {
  readonly lead: string
  readonly worker: string
  readonly skill: Uint8Array
  readonly hash: string
  readonly before: string[]
}

/** What a person takes along from the first server: two files and the archive of the skill. */
async function takeAlong(): Promise<Taken> {
  const house = openHouse()
  const { app } = house
  try {
    const { skill } = await app.skills.import(
      { content: bytes(zipOf([{ name: 'house-style/SKILL.md', content: skillText }])) },
      never,
    )
    await giveKnowledge(house)
    const child = app.agents.create({ config: worker })
    app.agents.publish(child.id, {})
    const { id } = app.agents.create({ config: lead(skill.hash) })
    const before = await run(house, id)
    const parts: Uint8Array[] = []
    const archive = await app.skills.archive('house-style')
    for await (const part of archive.content) parts.push(part)
    return {
      lead: app.agents.exported(id).text,
      worker: app.agents.exported(child.id).text,
      skill: Buffer.concat(parts),
      hash: skill.hash,
      before,
    }
  } finally {
    await house.end()
  }
}

describe('an agent with every ability, elsewhere', { timeout: 30_000 }, () => {
  let taken: Taken
  let folder = ''
  beforeAll(async () => {
    taken = await takeAlong()
    folder = mkdtempSync(path.join(os.tmpdir(), 'loopwright-elsewhere-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('S0-33 S1-09 S1-23 S4-06 S4-07 S4-42 an empty server names what it lacks, and with that the agent runs as before', async () => {
    expect(taken.before.at(-1)).toBe('completed: It is sent.')
    expect(taken.before.filter((each) => !each.includes(' ok: ')).length).toBe(1)
    const house = openHouse()
    const { app } = house
    try {
      const lacksOf = (file: string) => {
        const { id, lacks } = app.agents.importFile(JSON.parse(file), { rename: false })
        return { id, lacks: lacks.map(({ message }) => message) }
      }
      const imported = lacksOf(taken.lead)
      expect(imported.lacks).toEqual([
        'There is no collection “handbook” here, so it is not searched. Make it under Settings → Knowledge and add its files, or choose another.',
        expect.stringMatching(/worker/),
        `There is no skill “house-style” (${taken.hash.slice(0, 15)}…) here, so the agent runs without it. Import its folder under Settings → Skills, or choose another.`,
      ])
      const without = await run(house, imported.id)
      expect(without.at(-1)).toBe('completed: It is sent.')
      const failed = without.filter((each) => !each.includes(' ok: ')).map((each) => each.split(' ')[1])
      expect(failed).toEqual(['knowledge.search', 'skill.load', 'worker', 'It'])

      const child = lacksOf(taken.worker)
      expect(child.lacks).toEqual([])
      const left = () => app.agents.get(imported.id).diagnostics.map(({ message }) => message)
      expect(left().filter((each) => each.includes('worker'))).toEqual([expect.stringMatching(/publish/i)])
      app.agents.publish(child.id, {})
      const { skill } = await app.skills.import({ content: bytes(taken.skill) }, never)
      expect(skill.hash).toBe(taken.hash)
      await giveKnowledge(house)
      expect(left()).toEqual([])
      expect(await run(house, imported.id)).toEqual(taken.before)
      expect(app.agents.exported(imported.id).text).toBe(taken.lead)
    } finally {
      await house.end()
    }
  })

  it('S4-42 S4-07 the command line names what it lacks beside the file, and with that the agent runs', async () => {
    const write = (at: string, content: string) => {
      mkdirSync(path.dirname(path.join(folder, at)), { recursive: true })
      writeFileSync(path.join(folder, at), content)
    }
    const play = async (...more: readonly string[]) => {
      const terminal = testTerminal({ folder })
      const words = ['run', 'lead.json', 'Is there a voucher?', '--json', '--non-interactive', ...more]
      const code = await main(words, terminal)
      const lines = terminal.printed.trimEnd().split('\n').filter(Boolean)
      return { code, said: terminal.said, calls: ended(lines.map((line) => JSON.parse(line))) }
    }
    write('lead.json', taken.lead)
    const alone = await play()
    for (const what of [
      'collection “handbook”',
      'skill “house-style”',
      'no file worker.json beside lead.json',
    ])
      expect(alone.said).toContain(what)
    write('worker.json', taken.worker)
    write('skills/house-style/SKILL.md', skillText)
    write('pages/returns.md', page)
    const whole = await play('--knowledge', 'handbook=pages')
    const noMemory = 'Nothing is remembered here: a memory is kept only by a server.'
    expect(whole.code).toBe(0)
    expect(whole.said.trim()).toBe(`lead.json:tools/2: warning: ${noMemory} The agent runs without it.`)
    // Nobody is asked here, and nothing is remembered.
    const isOther = (each: string) => !/human\.ask|memory\.record/.test(each)
    expect(whole.calls.filter(isOther)).toEqual(taken.before.filter(isOther))
    expect(whole.calls.filter((each) => !isOther(each))).toEqual([
      expect.stringContaining(`memory.record error: Error: ${noMemory.slice(0, 20)}`),
      expect.stringContaining('human.ask ok'),
    ])
  })
})
