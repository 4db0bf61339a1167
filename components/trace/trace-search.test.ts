import { describe, expect, it } from 'vitest'
import { rowsOf } from './rows'
import {
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  stepFinished,
  stepStarted,
} from './run.fixture'
import { createSearch, type Facet, keepOf, noFilter } from './trace-search'

const sql = { id: 'call_1_1', name: 'sql.execute', args: { sql: 'SELECT name FROM artists' } }

function run() {
  return record(
    begin,
    stepStarted,
    requested,
    answered({ reasoning: 'I look\nat the Artists.', calls: [sql] }),
    callStarted(sql, 'tools/1'),
    callFinished(sql, 'tools/1', { text: `${'x'.repeat(900)} Björk`, status: 'error' }),
    stepFinished,
  )
}

const find = (query: string) => createSearch()(run().state, { query, keep: null }).map((each) => each.id)

describe('search in the trace', () => {
  it('finds names, arguments, observations and thoughts, in any case and beyond what a line shows', () => {
    expect(find('EXECUTE')).toContain('call_1_1')
    expect(find('from artists')).toEqual(['call_1_1'])
    expect(find('björk')).toEqual(['call_1_1-observation'])
    expect(find('the artists')).toEqual(['step-1-model'])
    expect(find('nowhere')).toEqual([])
  })

  it('keeps rows by kind and by tool', () => {
    const kept = (facets: Facet[], tool: string | null = null) => {
      const keep = keepOf({ facets: new Set(facets), tool, notes: true })
      return rowsOf(run().state, new Set(['tools']))
        .filter((row) => keep === null || keep(row))
        .map((row) => row.id)
    }
    expect(kept(['errors'])).toEqual(['call_1_1', 'call_1_1-observation'])
    expect(kept(['thoughts'])).toEqual(['step-1-model'])
    expect(kept(['thoughts', 'calls'])).toHaveLength(3)
    expect(kept([], 'sql.execute')).toEqual(['call_1_1', 'call_1_1-observation'])
    expect(kept(['calls'], 'other')).toEqual([])
    expect(kept([])).toHaveLength(5)
  })

  it('S4-41 notes to the model can be switched off, and nothing else goes with them', () => {
    const noted = record(begin, stepStarted, requested, answered({ text: 'I think so.' }), stepFinished)
    noted.tell({ type: 'step.started', maxSteps: 10, said: 'Your words alone do not end this run.' })
    const hook = { type: 'hook.called', node: 'policies/0', durationMs: 1, on: 'pre_reasoning' } as const
    noted.tell({ ...hook, decision: 'continue', note: 'be kind' })
    noted.tell({ ...hook, decision: 'deny', reason: 'no', note: 'be kind' })
    const rows = rowsOf(noted.state, new Set())
    const keep = keepOf({ ...noFilter, notes: false })
    const hidden = rows.filter((each) => keep?.(each) === false)
    expect(hidden.map(({ id }) => id)).toEqual(['step-2-told', 'step-2-hook-0'])
    expect(keepOf(noFilter)).toBeNull()
  })
})
