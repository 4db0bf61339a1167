import { describe, expect, it, test } from 'vitest'
import {
  chipsOf,
  filterWords,
  isFiltered,
  type ListFilter,
  nextSort,
  readFilter,
  toQuery,
  writeFilter,
} from './list-filter'

const whole: ListFilter = {
  search: '"in Germany" 100%',
  agent: 'agent_1',
  status: 'failed',
  model: 'openai/gpt-5',
  tool: 'sql.execute',
  feedback: 'down',
  failed: '1',
  costFrom: 0.01,
  costTo: 2,
  since: '2026-11-01',
  until: '2026-11-22',
  sort: 'cost_asc',
}

describe('the address', () => {
  test.each([{}, whole, { search: 'a&b=c' }, { costTo: 0 }])('holds %j', (filter) => {
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter)
  })

  it('says nothing of the usual order', () => {
    expect(writeFilter({ sort: 'newest' })).toBe('')
  })

  it('is read without what makes no sense', () => {
    const query =
      'status=great&sort=best&costFrom=-1&costTo=x&since=2026-13-40&until=now&feedback=left&search='
    expect(readFilter(new URLSearchParams(query))).toEqual({})
  })
})

it('both days of a range are included, by the clock of the person', () => {
  const { since = 0, until = 0 } = toQuery({ since: '2026-11-21', until: '2026-11-22' })
  expect(since).toBe(new Date(2026, 10, 21).getTime())
  expect(until).toBe(new Date(2026, 10, 23).getTime())
})

it('all filters that are on are put into words, without the order', () => {
  const filter = {
    search: 'germany',
    agent: 'agent_1',
    status: 'failed',
    tool: 'sql.execute',
    sort: 'cost',
  } as const
  expect(filterWords(filter, 'Analyst')).toEqual(['“germany”', 'Analyst', 'Failed', 'Called sql.execute'])
  expect(filterWords({ agent: 'agent_1' })).toEqual(['A deleted agent'])
  expect(filterWords({ sort: 'cost' })).toEqual([])
})

it('an order is no filter', () => {
  expect([isFiltered({ sort: 'cost' }), isFiltered({ costTo: 0 })]).toEqual([false, true])
})

it('a chip says what it filters, and its removal leaves the others', () => {
  const chips = chipsOf(whole)
  expect(chips.map(({ words }) => words)).toEqual([
    'openai/gpt-5',
    'Called sql.execute',
    'With failed calls',
    'Rated bad',
    'Cost $0.01 to $2',
    'Started 1 Nov 2026 to 22 Nov 2026',
  ])
  const { costFrom: _from, costTo: _to, ...others } = whole
  expect(chips[4]?.rest).toEqual(others)
})

test.each([
  ['cost', 'newest', 'cost'],
  ['cost', 'cost', 'cost_asc'],
  ['cost', 'cost_asc', 'newest'],
  ['steps', 'cost', 'steps'],
  ['newest', 'newest', 'oldest'],
  ['newest', 'cost', 'newest'],
] as const)('pressing %s while sorted by %s sorts by %s', (head, now, next) => {
  expect(nextSort(head, now)).toBe(next)
})
