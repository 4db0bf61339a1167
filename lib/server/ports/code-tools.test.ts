/**
 * JavaScript tools that may write files, in a run: every policy and the loop treat them as tools that write.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, type House, openHouse } from '../house.fixture'
import { scriptOf } from '../runs/run-house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

/** Reads a file, waits, and writes it back with one more line: two concurrent calls would lose a line. */
const append = `
const text = await files.read('lines.txt').catch(() => '')
await new Promise((done) => setTimeout(done, args.waitMs ?? 50))
await files.write('lines.txt', text + args.line + '\\n')
return 'appended'`
const code = (name: string, source: string, more: JsonObject = {}) => ({ use: 'code', name, source, ...more })
const call = (name: string, args: JsonObject = {}) => ({ name, args })

interface Played {
  readonly id: string
  readonly events: RunEvent[]
  readonly calls: { status: string; code: string | null; text: string; attempts: number; cached?: true }[]
  readonly written: string
}

let serial = 0

/** Plays a run until it ends or asks a person. */
async function played(turns: JsonObject[], config: JsonObject): Promise<Played> {
  serial += 1
  const script = scriptOf([...turns, { text: 'done' }], config)
  const agent = house.app.agents.create({ config: { ...script, name: `scripted-${serial}` } })
  expect(agent.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const { id, threadId } = house.app.runs.create({ agentId: agent.id, input: 'go' })
  for await (const frame of house.app.runs.watch(id, 0, new AbortController().signal))
    if (frame !== 'beat' && frame.type === 'approval.requested') break
  const events = eventsIn(house.app.runs, id)
  const finished = events.filter((each) => each.type === 'call.finished')
  const calls = finished.map(({ status, code, result, attempts, cached }) => {
    return { status, code, text: result.text, attempts, ...(cached && { cached }) }
  })
  return { id, events, calls, written: writtenIn(threadId) }
}

function writtenIn(threadId: string): string {
  try {
    return readFileSync(path.join(house.folder, 'workspaces', threadId, 'lines.txt'), 'utf8')
  } catch {
    return ''
  }
}

const rulings = ({ events }: Played) =>
  events.flatMap((each) => (each.type === 'policy.ruled' ? [`${each.policy} ${each.verdict}`] : []))
const retry = { use: 'retry', max: 2, backoffMs: 1 }
const auto = { use: 'execution', strategy: 'auto' }

describe('a code tool', () => {
  test('that may write runs alone under the strategy auto, so that no update is lost', async () => {
    const lines = ['a', 'b', 'c', 'd']
    const tools = [code('append', append)]
    const { written } = await played([{ calls: lines.map((line) => call('append', { line })) }], {
      tools,
      policies: [auto],
    })
    expect(written).toBe('a\nb\nc\nd\n')
  })

  test('that may write is not tried again after a time-out, whatever Retry says', async () => {
    const slow = `${append.replace("return 'appended'", '')}await new Promise((done) => setTimeout(done, 30_000))`
    const { calls, written } = await played([{ calls: [call('slow', { line: 'a', waitMs: 0 })] }], {
      tools: [code('slow', slow, { timeoutSeconds: 2 })],
      policies: [retry],
    })
    expect(calls).toMatchObject([{ status: 'timeout', attempts: 1 }])
    expect(written).toBe('a\n')
  })

  test('that only reads is tried again after a time-out', async () => {
    const slow = 'await new Promise((done) => setTimeout(done, 30_000))'
    const { calls } = await played([{ calls: [call('slow')] }], {
      tools: [code('slow', slow, { timeoutSeconds: 0.5, risk: 'read' })],
      policies: [retry],
    })
    expect(calls).toMatchObject([{ status: 'timeout', attempts: 3 }])
  })

  test('that may write is refused by a highest risk of read, and so is javascript.run; what only reads is not', async () => {
    const more = { tools: [code('append', append), code('look', 'return 1', { risk: 'read' })] }
    const tools = [...more.tools, { use: 'builtin', tools: ['javascript.run'] }]
    const turn = {
      calls: [call('append', { line: 'a' }), call('javascript.run', { code: '1' }), call('look')],
    }
    const { calls } = await played([turn], { tools, policies: [{ use: 'risk', max: 'read' }] })
    expect(calls.map(({ status }) => status)).toEqual(['denied', 'denied', 'ok'])
  })

  test('that may write waits for a person once content from outside came in', async () => {
    const tools = [{ use: 'builtin', tools: ['files.search'] }, code('append', append)]
    const turns = [
      { calls: [call('files.search', { query: 'a' })] },
      { calls: [call('append', { line: 'a' })] },
    ]
    const run = await played(turns, { tools, policies: [{ use: 'taint' }] })
    expect(rulings(run)).toEqual(['taint confirm'])
    expect(house.app.runs.get(run.id).status).toBe('waiting')
    expect(run.written).toBe('')
    house.app.runs.cancel(run.id)
  })

  test('that may write makes cached results of reading calls old', async () => {
    const tools = [{ use: 'builtin', tools: ['files.list'], cache: true }, code('append', append)]
    const list = { calls: [call('files.list')] }
    const { calls } = await played([list, list, { calls: [call('append', { line: 'a' })] }, list], { tools })
    expect(calls.map(({ cached = false }) => cached)).toEqual([false, true, false, false])
    expect(calls.at(-1)?.text).toContain('lines.txt')
  })
})

describe('JavaScript that its entry holds to reading', () => {
  const write = "try { await files.write('lines.txt', 'x') } catch (error) { return error.message }"

  test('cannot write a file, and is told why', async () => {
    const tools = [
      code('sneak', write, { risk: 'read' }),
      { use: 'builtin', tools: ['time.now', 'javascript.run'], effect: 'read' },
    ]
    const turns = [{ calls: [call('sneak'), call('javascript.run', { code: write })] }]
    const { calls, written } = await played(turns, { tools })
    expect(calls.map(({ text }) => text)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^files\.write: this tool may only read files/)),
    )
    expect(written).toBe('')
  })

  test('reads files as before, and runs beside other reading calls', async () => {
    const read =
      "console.log('began'); await new Promise((done) => setTimeout(done, 500)); return files.read('a')"
    const tools = [code('read', read, { risk: 'read' }), { use: 'builtin', tools: ['files.create'] }]
    const turns = [
      { calls: [call('files.create', { path: 'a', content: 'text' })] },
      { calls: [call('read', { n: 1 }), call('read', { n: 2 })] },
    ]
    const { calls, events } = await played(turns, { tools, policies: [auto] })
    expect(calls.slice(1).map(({ text }) => text)).toEqual(['text', 'text'])
    const types = events.filter((each) => each.step === 2).map(({ type }) => type)
    expect(types.indexOf('call.finished')).toBeGreaterThan(types.lastIndexOf('call.started'))
  })
})

describe('a call that timed out', () => {
  const endless = 'with recursive n(x) as (select 1 union all select x + 1 from n) select max(x) from n'
  const classes: [string, JsonObject, number][] = [
    ['read', {}, 3],
    ['idempotent, by its entry', { effect: 'idempotent' }, 3],
    ['effect, by its entry', { effect: 'effect' }, 1],
    ['effect, as the risk that its entry gives it says', { risk: 'write' }, 1],
  ]
  test.each(classes)('of the class %s, is tried as often as that allows', async (_, more, attempts) => {
    const sql = { use: 'builtin', tools: ['sql.execute'], timeoutSeconds: 0.4, ...more }
    const { calls } = await played([{ calls: [call('sql.execute', { database: 'retail', sql: endless })] }], {
      tools: [sql],
      policies: [retry],
    })
    expect(calls).toMatchObject([{ status: 'timeout', attempts }])
  })
})

describe('an agent whose entry lowers the class of a tool that is a fact', () => {
  const lowered = {
    name: 'lowered',
    tools: [{ use: 'builtin', tools: ['time.now', 'files.*'], risk: 'read' }],
  }

  test('does not compile: the diagnostic names the setting', () => {
    const { config, diagnostics } = house.app.agents.create({ config: lowered })
    expect(config).toBe(null)
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        code: 'class_lowered',
        path: 'tools/0/risk',
        message: expect.stringMatching(/“files.create”, “files.delete”, “files.insert” and \d more/),
      },
    ])
  })
})

test('S0-29 a call tells its wall, and on Linux the processor time and memory that it used', async () => {
  const busy = 'let n = 0; for (let i = 0; i < 2_000_000; i++) n += i; return n'
  const { events } = await played([{ calls: [call('busy')] }, { calls: [call('loop')] }], {
    tools: [code('busy', busy), { ...code('loop', 'for (;;);'), timeoutSeconds: 1 }],
  })
  const { kinds } = await house.app.sandbox()
  const known = kinds.find(({ kind }) => kind === 'javascript')
  const finished = events.filter((each) => each.type === 'call.finished')
  expect(finished.map(({ status }) => status)).toEqual(['ok', 'timeout'])
  const [ok] = finished
  const metadata = ok?.metadata ?? {}
  expect(metadata.wall).toMatchObject({ id: known?.used })
  expect(metadata.seconds).toBeGreaterThan(0)
  if (process.platform === 'linux') {
    expect(metadata.cpuSeconds).toBeGreaterThan(0)
    expect(metadata.peakMemoryBytes).toBeGreaterThan(10_000_000)
  }
}, 30_000)
