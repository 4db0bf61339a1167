import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { runSort } from '#lib/spec/run-sort'
import type { RunFilter, RunRow } from '#lib/spec/store'
import {
  appended,
  finished,
  numbered,
  queued,
  runRow,
  started,
  type TemporaryStores,
  temporaryStores,
  threadRow,
} from '../rows.fixture'

let house: TemporaryStores
beforeEach(() => {
  house = temporaryStores()
})
afterEach(() => house.end())

interface Ended {
  readonly change?: Partial<RunRow>
  readonly end?: Partial<
    typeof finished & { costUsd: number | null; error: RunRow['error']; toolCalls: RunRow['toolCalls'] }
  >
  /** Tools whose calls fail. */
  readonly failed?: readonly string[]
}

function addRun(id: string, { change = {}, end = {}, failed = [] }: Ended = {}): void {
  const { stores } = house
  const threadId = `thread_${id}`
  stores.runs.insert(runRow({ id, threadId, ...change }), queued(threadId), threadRow({ id: threadId }))
  const calls = failed.map((name, index) => ({
    type: 'call.finished' as const,
    callId: `call_${index}`,
    name,
    node: 'tools/0',
    status: 'error' as const,
    code: 'failed',
    result: { blocks: [], text: 'It failed.' },
    durationMs: 1,
    attempts: 1,
  }))
  const bodies = [started, ...calls, { ...finished, ...end } as typeof finished] // cast: the spread of one event
  stores.runs.append(bodies.map((body, index) => appended(id, numbered(index + 2, body))))
}

const ids = (filter: RunFilter) => house.stores.runs.list(filter).items.map(({ id }) => id)

describe('search', () => {
  it('finds runs by question, answer, error and tool, also while they run', () => {
    addRun('answer', { end: { answer: 'Germany, with 28 customers.' } })
    addRun('question', { change: { input: 'And in GERMANY?' } })
    addRun('error', { end: { answer: null, error: { code: 'x', message: 'Germany is not reachable.' } } })
    addRun('tool', { end: { toolCalls: [{ name: 'germany.lookup', count: 1 }] } })
    addRun('other')
    const { stores } = house
    const running = runRow({ id: 'running', threadId: 't', input: 'Germany now' })
    stores.runs.insert(running, queued('t'), threadRow({ id: 't' }))
    expect(ids({ search: 'germany' })).toEqual(['running', 'tool', 'error', 'question', 'answer'])
    expect(stores.runs.listCounted({ search: 'germany' }).total).toBe(5)
    expect(ids({ search: '"28 customers"' })).toEqual(['answer'])
  })

  it('finds two characters of Chinese and Japanese', () => {
    addRun('a', { end: { answer: '東京都の顧客は28人です。' } })
    addRun('b', { end: { answer: '京都の顧客です。' } })
    expect([ids({ search: '東京' }), ids({ search: '京都' }), ids({ search: '大阪' })]).toEqual([
      ['a'],
      ['b', 'a'],
      [],
    ])
  })

  test.each([
    '"',
    '""',
    'a"b',
    '*',
    'AND',
    'OR NOT',
    'NEAR(a, 2)',
    '(',
    '^a',
    'words:a',
    "' --",
    '\u0000',
    '{a b}: c',
    'a\\',
  ])('takes %j as plain text', (search) => {
    addRun('a')
    expect(ids({ search })).toEqual([])
  })
})

describe('filters', () => {
  beforeEach(() => {
    addRun('cheap', { end: { costUsd: 0.01 }, change: { createdAt: 1_000 } })
    addRun('dear', {
      end: { costUsd: 2, toolCalls: [{ name: 'sql.execute', count: 3 }] },
      failed: ['sql.execute'],
    })
    addRun('free', { change: { createdAt: 9_000, agentId: 'agent_2' } })
  })

  test.each<[RunFilter, string[]]>([
    [{ costFrom: 0.5 }, ['dear']],
    [{ costTo: 0.5 }, ['cheap']],
    [{ costFrom: 0.01, costTo: 2 }, ['dear', 'cheap']],
    [{ tool: 'sql.execute' }, ['dear']],
    [{ failed: true }, ['dear']],
    [{ model: 'scripted/demo' }, ['free', 'dear', 'cheap']],
    [{ model: 'scripted/other' }, []],
    [{ since: 2_000 }, ['free', 'dear']],
    [{ since: 2_000, until: 9_000 }, ['dear']],
    [{ agentId: 'agent_2', status: 'completed' }, ['free']],
    [{ search: 'sql', failed: true, costFrom: 1 }, ['dear']],
  ])('%j', (filter, expected) => {
    expect([ids(filter), house.stores.runs.listCounted(filter).total]).toEqual([expected, expected.length])
  })

  it('feedback: up, down and any, until it is removed', () => {
    const { runs } = house.stores
    runs.setFeedback('cheap', { rating: 'up' })
    runs.setFeedback('dear', { rating: 'down', text: 'Wrong year.' })
    expect([ids({ feedback: 'up' }), ids({ feedback: 'down' }), ids({ feedback: 'any' })]).toEqual([
      ['cheap'],
      ['dear'],
      ['dear', 'cheap'],
    ])
    expect(runs.get('dear')?.feedback).toEqual({ rating: 'down', text: 'Wrong year.' })
    runs.setFeedback('dear', null)
    expect(runs.get('dear')).not.toHaveProperty('feedback')
  })

  it('a list says how many calls of a run failed', () => {
    expect(house.stores.runs.list({}).items.map(({ failedCalls }) => failedCalls)).toEqual([
      undefined,
      1,
      undefined,
    ])
  })

  it('the models and tools that occur can be chosen', () => {
    expect(house.stores.figures.choices()).toEqual({ models: ['scripted/demo'], tools: ['sql.execute'] })
  })
})

describe('pages', () => {
  const costs = [0.3, null, 0.1, 0.3, 2, null, 0.1, 1 / 3, 1e-7]

  test.each(runSort.options)('%s: every run is on one page exactly once, and in order', (sort) => {
    for (const [index, costUsd] of costs.entries())
      addRun(`run_${index}`, { end: { costUsd, steps: index % 3, finishedAt: 10_010 + (index % 4) } })
    const whole = ids({ sort })
    expect([...whole].sort()).toEqual(costs.map((_, index) => `run_${index}`))
    for (const limit of [1, 2, 4]) {
      const read: string[] = []
      let cursor: string | undefined
      do {
        const page = house.stores.runs.list({ sort, limit, ...(cursor !== undefined && { cursor }) })
        read.push(...page.items.map(({ id }) => id))
        cursor = page.next
      } while (cursor !== undefined)
      expect([limit, read]).toEqual([limit, whole])
    }
  })

  test.each(runSort.options)(
    '%s: a search has the pages of the list, each with the number of all',
    (sort) => {
      for (const [index, costUsd] of costs.entries())
        addRun(`run_${index}`, { end: { costUsd, steps: index % 3, finishedAt: 10_010 + (index % 4) } })
      const filter: RunFilter = { search: 'france', sort, limit: 4 }
      const [found, listed]: [string[], string[]] = [[], []]
      const totals: number[] = []
      let cursor: string | undefined
      do {
        const at = cursor !== undefined && { cursor }
        const page = house.stores.runs.listCounted({ ...filter, ...at })
        totals.push(page.total)
        found.push(...page.items.map(({ id }) => id))
        listed.push(...house.stores.runs.list({ ...filter, ...at }).items.map(({ id }) => id))
        cursor = page.next
      } while (cursor !== undefined)
      expect(totals).toEqual([9, 9, 9])
      expect([found, [...found].sort()]).toEqual([listed, costs.map((_, index) => `run_${index}`)])
    },
  )

  it('a page of a search behind its last run is empty, and tells the number of all', () => {
    addRun('run_0', {})
    const { items, total } = house.stores.runs.listCounted({ search: 'france', cursor: '1' })
    expect([items, total]).toEqual([[], 1])
    expect(house.stores.runs.listCounted({ search: 'nowhere' })).toEqual({ items: [], total: 0 })
  })

  it('runs without a cost come last, whether the highest or the lowest cost comes first', () => {
    for (const [index, costUsd] of [0.2, null, 0.1].entries()) addRun(`run_${index}`, { end: { costUsd } })
    expect(ids({ sort: 'cost' })).toEqual(['run_0', 'run_2', 'run_1'])
    expect(ids({ sort: 'cost_asc' })).toEqual(['run_2', 'run_0', 'run_1'])
  })

  test.each([
    ['cost', '17'],
    ['cost', 'steps:1:17'],
    ['newest', 'cost:1:17'],
    ['newest', 'x'],
    ['cost', 'cost:e.:1'],
  ] as const)('a list sorted by %s refuses the cursor %s', (sort, cursor) => {
    expect(() => house.stores.runs.list({ sort, cursor })).toThrow('The cursor is not valid for this list.')
  })
})
