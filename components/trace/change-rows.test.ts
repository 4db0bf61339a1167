import { expect, it } from 'vitest'
import { changeWords } from './change-rows'
import { rowsOf } from './rows'
import { answered, begin, record, requested, stepFinished, stepStarted } from './run.fixture'

it('says which tools were added, removed and changed before a step, and why', () => {
  const none = { at: 0, added: [], removed: [], changed: [], reason: 'no group is active' }
  expect(changeWords({ ...none, removed: ['files.list'] })).toBe(
    '1 tool removed: files.list. No group is active.',
  )
  expect(
    changeWords({ ...none, added: ['a', 'b'], changed: ['c'], reason: 'the server has new tools' }),
  ).toBe('2 tools added: a, b; 1 tool with a new description: c. The server has new tools.')
})

it('S4-08 shows the change between the two steps, and keeps the tools that the run began with at the top', () => {
  const { state } = record(
    begin,
    stepStarted,
    requested,
    answered({ calls: [{ id: 'call_1_1', name: 'sql.execute' }] }),
    stepFinished,
    {
      type: 'tools.changed',
      added: [{ name: 'files.list', node: 'tools/3' }],
      removed: [{ name: 'sql.execute' }],
      changed: [],
      reason: 'active groups: files',
    },
    stepStarted,
  )
  const rows = rowsOf(state, new Set())
  expect(rows[0]?.detail).toContain('2 offered')
  const heads = rows.filter(({ kind }) => kind === 'step' || kind === 'tools')
  expect(heads.map(({ title }) => title)).toEqual(['Tools', 'Step 1', 'Tools', 'Step 2'])
  expect(heads[2]?.detail).toBe(
    '1 tool added: files.list; 1 tool removed: sql.execute. Active groups: files.',
  )
})
