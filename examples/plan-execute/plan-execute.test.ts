import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { canonical } from '#lib/graph/canonical'
import { compile } from '#lib/graph/compile'
import { decompile } from '#lib/graph/decompile'
import { createCatalog } from '#lib/server/agents/catalog'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'

const names = ['plan-execute', 'revenue-worker', 'customer-worker']
const catalog = createCatalog('test')
const question = 'Where does our revenue come from, and where are our customers?'

/** A copy of the agents, in which a test may change one. */
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'loopwright-plan-execute-'))
  for (const each of names)
    cpSync(path.join(import.meta.dirname, `${each}.json`), path.join(folder, `${each}.json`))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (name: string) => readFileSync(path.join(folder, `${name}.json`), 'utf8')

/** Puts turns before those of the agent. */
function playFirst(name: string, ...turns: JsonObject[]): void {
  const config = JSON.parse(read(name))
  config.model.turns.unshift(...turns)
  writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(config))
}

async function play(): Promise<{ code: number; said: string; events: RunEvent[] }> {
  const terminal = testTerminal({ folder })
  const places = ['--data', path.join(folder, 'data'), '--workspace', path.join(folder, 'workspace')]
  const code = await main(['run', 'plan-execute.json', question, '--json', ...places], terminal)
  const lines = terminal.printed.trimEnd().split('\n').filter(Boolean)
  return { code, said: terminal.said, events: lines.map((line) => runEvent.parse(JSON.parse(line))) }
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

const results = (events: readonly RunEvent[]) =>
  new Map(
    all(events, 'call.finished').flatMap(({ parent, callId, status, result }) =>
      parent === undefined ? [[callId, [status, result.text] as const]] : [],
    ),
  )

describe('plan and execute (S1-12)', { timeout: 30_000 }, () => {
  it.each(names)('%s stands in canonical form and compiles to its own bytes', (name) => {
    const drawn = decompile(JSON.parse(read(name)), catalog)
    const compiled = compile(drawn.graph, catalog)
    expect([...drawn.diagnostics, ...compiled.diagnostics]).toEqual([])
    expect([compiled.text, canonical(JSON.parse(read(name)), catalog.schema)]).toEqual([
      read(name),
      read(name),
    ])
  })

  it('two tasks are two runs at once, and their results come in the order of the calls', async () => {
    const { code, said, events } = await play()
    expect([code, said]).toEqual([0, ''])
    const begun = events.flatMap((each, index) =>
      each.type === 'run.started' && each.parent !== undefined ? [[each.parent, index] as const] : [],
    )
    const firstEnd = events.findIndex((each) => each.type === 'run.finished')
    expect(begun.map(([parent]) => parent)).toEqual(['call_2_1', 'call_2_2'])
    expect(begun.every(([, index]) => index < firstEnd)).toBe(true)
    expect([...results(events).values()].every(([status]) => status === 'ok')).toBe(true)
    const requested = all(events, 'model.requested').filter(({ parent }) => parent === undefined)
    expect(requested).toHaveLength(4)
    expect(all(events, 'plan.updated').at(-1)?.plan.ended).toBe('done')
    expect(events.at(-1)).toMatchObject({
      status: 'completed',
      answer: expect.stringContaining('123, 115 and 107'),
    })
  })

  it('a worker whose query fails reads the error, and tries again', async () => {
    playFirst('customer-worker', {
      calls: [{ name: 'sql.execute', args: { sql: 'select nothing from nowhere' } }],
    })
    const { code, events } = await play()
    const inside = all(events, 'call.finished').filter(({ parent }) => parent === 'call_2_2')
    expect(inside.map(({ status }) => status)).toEqual(['error', 'ok'])
    expect([code, results(events).get('call_2_2')?.[0]]).toEqual([0, 'ok'])
  })

  it('a planner that calls nobody it knows, or gives no task, reads why and recovers', async () => {
    playFirst('plan-execute', {
      calls: [
        { name: 'product-worker', args: { task: 'Count products.' } },
        { name: 'revenue-worker', args: {} },
      ],
    })
    const { code, events } = await play()
    expect(results(events).get('call_1_1')?.[1]).toContain('There is no tool named "product-worker"')
    expect(results(events).get('call_1_2')?.[1]).toContain('task')
    expect([code, events.at(-1)]).toMatchObject([0, { status: 'completed' }])
  })

  it('without the file of a worker, it is said which one is missing, and the others still work', async () => {
    rmSync(path.join(folder, 'customer-worker.json'))
    const { said, events } = await play()
    expect(said).toContain(
      'There is no file customer-worker.json beside plan-execute.json, so customer-worker cannot be called. Export the agent there.',
    )
    expect(all(events, 'run.started')[0]?.tools.withheld).toMatchObject([{ name: 'customer-worker' }])
    expect(results(events).get('call_2_1')?.[0]).toBe('ok')
  })
})
