import { describe, expect, it } from 'vitest'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  stepFinished,
  stepStarted,
} from '#components/trace/run.fixture'
import { choiceOfNode, followedStep, stepOf } from './choice'

const list: Asked = { id: 'call_1_1', name: 'schema.list_tables' }
const sql: Asked = { id: 'call_2_1', name: 'sql.execute' }

function twoSteps() {
  const run = record(begin, stepStarted, requested, answered({ calls: [list] }))
  run.tell(callStarted(list, 'tools/0'), callFinished(list, 'tools/0'), stepFinished)
  run.tell(stepStarted, requested, answered({ calls: [sql] }), callStarted(sql, 'tools/1'))
  return run.state
}

describe('a choice on the run page', () => {
  it('of a card is the last call of its entry, in its step', () => {
    const state = twoSteps()
    expect(choiceOfNode(state, 'tools/0')).toEqual({ row: list.id, step: 1 })
    expect(choiceOfNode(state, 'tools/1')).toEqual({ row: sql.id, step: 2 })
    expect(choiceOfNode(state, 'model')).toEqual({ row: 'step-2', step: 2 })
    expect(choiceOfNode(state, 'tools/9')).toBe(null)
    expect(choiceOfNode(state, undefined)).toBe(null)
  })

  it('follows the last step until a person chooses one', () => {
    const state = twoSteps()
    expect(stepOf(state, null)?.number).toBe(2)
    expect(stepOf(state, { row: 'step-1', step: 1 })?.number).toBe(1)
    expect(stepOf(state, { row: 'tools', step: 0 })?.number).toBe(2)
    expect(stepOf(record(begin).state, null)).toBe(undefined)
    expect(followedStep(state, state)).toEqual({ row: 'step-2', step: 2 })
  })

  it('follows the playhead, and shows the first step before that has begun', () => {
    const state = twoSteps()
    expect(followedStep(state, record(begin, stepStarted).state)?.step).toBe(1)
    expect(followedStep(state, record(begin).state)?.step).toBe(1)
    expect(followedStep(null, null)).toBe(null)
  })
})
