import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { canonical } from '#lib/graph/canonical'
import { compile } from '#lib/graph/compile'
import { decompile } from '#lib/graph/decompile'
import { createCatalog } from '#lib/server/agents/catalog'
import { type EventOf, type EventType, type RunEvent, runEvent } from '#lib/spec/event'

const folder = import.meta.dirname
const names = readdirSync(folder).filter((each) => each.endsWith('.json'))
/** Those that need MCP servers, an API, files, a skill or walls; their runs are tested beside them. */
const withServers = ['mcp', 'api', 'coder', 'analyst', 'skills', 'web', 'desk'].flatMap((place) =>
  readdirSync(path.join(folder, place))
    .filter((each) => each.endsWith('.json'))
    .map((each) => path.join(place, each)),
)
const catalog = createCatalog('test')
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8')

let data = ''
beforeAll(() => {
  data = mkdtempSync(path.join(os.tmpdir(), 'loopwright-examples-'))
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** Runs an example from the command line with no variable set at all. */
async function play(name: string, question: string): Promise<RunEvent[]> {
  const terminal = testTerminal({ folder })
  const places = ['--data', data, '--workspace', path.join(data, 'workspace')]
  const code = await main(['run', name, question, '--json', ...places], terminal)
  expect(terminal.said).toBe('')
  expect(code).toBe(0)
  return terminal.printed
    .trimEnd()
    .split('\n')
    .map((line) => runEvent.parse(JSON.parse(line)))
}

function all<T extends EventType>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((each): each is EventOf<T> => each.type === type)
}

describe('the examples', { timeout: 30_000 }, () => {
  it('are four', () => {
    expect(names).toEqual([
      'calculator.json',
      'guarded-analyst.json',
      'report-writer.json',
      'retail-analyst.json',
    ])
  })

  it.each([...names, ...withServers])(
    '%s stands in canonical form under its own name, and is described',
    (name) => {
      const config = JSON.parse(read(name))
      expect(`${config.name}.json`).toBe(path.basename(name))
      expect(config.title).toBeTruthy()
      expect(config.description).toBeTruthy()
      expect(canonical(config, catalog.schema)).toBe(read(name))
    },
  )

  it.each([...names, ...withServers])(
    '%s compiles to its own bytes with nothing to say against it',
    (name) => {
      const drawn = decompile(JSON.parse(read(name)), catalog)
      const compiled = compile(drawn.graph, catalog)
      expect([...drawn.diagnostics, ...compiled.diagnostics]).toEqual([])
      expect(compiled.text).toBe(read(name))
    },
  )

  it('retail-analyst finds the country with the most revenue, by tools alone', async () => {
    const events = await play('retail-analyst.json', 'Which country brought the most revenue, and how much?')
    expect(events[0]?.type).toBe('run.started')
    const [end] = all(events, 'run.finished')
    expect(end?.status).toBe('completed')
    expect(end?.answer).toContain('Germany')
    expect(end?.answer?.replace(/[,\s ]/g, '')).toContain('3734218.75')
    const used = new Set(all(events, 'call.finished').map((each) => `${each.name} ${each.status}`))
    expect(used).toEqual(new Set(['schema.list_tables ok', 'schema.list_columns ok', 'sql.execute ok']))
  })

  it('calculator calculates', async () => {
    const events = await play('calculator.json', 'What is 12.5% of 840?')
    expect(all(events, 'run.finished')[0]).toMatchObject({
      status: 'completed',
      answer: expect.stringContaining('105'),
    })
    expect(all(events, 'call.finished').map((each) => [each.name, each.status])).toEqual([
      ['math.calculate', 'ok'],
    ])
  })

  it('report-writer writes the true figures into a file, formatted by its own code', async () => {
    const events = await play('report-writer.json', 'Write a report on revenue by country.')
    expect(all(events, 'run.finished')[0]).toMatchObject({ status: 'completed' })
    const [rows, formatted] = all(events, 'call.finished').map((each) => each.result.blocks[0])
    expect(rows).toMatchObject({
      rows: [
        ['Germany', 3734218.75],
        ['United Kingdom', 3318598.5],
        ['France', 3069189.5],
      ],
    })
    expect(formatted).toEqual({ type: 'json', value: ['3,734,218.75', '3,318,598.50', '3,069,189.50'] })
    expect(all(events, 'artifact.created').map((each) => each.artifact.path)).toEqual(['reports/revenue.md'])
    const report = readFileSync(path.join(data, 'workspace', 'reports', 'revenue.md'), 'utf8')
    expect(report).toContain('| United Kingdom | 3,318,598.50 |')
  })

  it('guarded-analyst runs three calls side by side, and the denied body never', async () => {
    const events = await play('guarded-analyst.json', 'How is the database built?')
    expect(all(events, 'run.finished')[0]?.status).toBe('completed')
    expect(all(events, 'run.started')[0]?.tools.withheld).toEqual([
      {
        name: 'sql.execute',
        entry: 'tools/0',
        policy: 'skills',
        node: 'policies/0',
        reason: expect.any(String),
      },
    ])
    const order = events.filter((each) => each.type === 'call.started' || each.type === 'call.finished')
    expect(order.slice(0, 3).map((each) => each.type)).toEqual([
      'call.started',
      'call.started',
      'call.started',
    ])
    expect(all(events, 'call.started').map((each) => each.name)).not.toContain('sql.execute')
    expect(all(events, 'call.finished').find((each) => each.name === 'sql.execute')).toMatchObject({
      status: 'denied',
    })
  })
})
