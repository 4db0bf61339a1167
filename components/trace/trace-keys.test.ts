import { describe, expect, it } from 'vitest'
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
import { keyAct, stepBeside } from './trace-keys'
import { createTraceList } from './trace-list'

const call = { id: 'call_1_1', name: 'sql.execute' }
const { state } = record(
  begin,
  stepStarted,
  requested,
  answered({ calls: [call] }),
  callStarted(call, 'tools/1'),
  callFinished(call, 'tools/1'),
  stepFinished,
  stepStarted,
  requested,
)
const list = createTraceList()(state, {
  folded: new Set(['tools', 'step-2']),
  opened: new Map(),
  keep: null,
  rowHeight: 24,
})
// 0 tools (folded), 1 step 1, 2 thought, 3 call, 4 observation, 5 step 2 (folded)

describe('keys in the trace', () => {
  it('walk the rows and stop at either end', () => {
    expect(keyAct(list, 1, 'ArrowDown', 5)).toEqual({ do: 'go', index: 2 })
    expect(keyAct(list, 0, 'ArrowUp', 5)).toEqual({ do: 'go', index: 0 })
    expect(keyAct(list, 0, 'End', 5)).toEqual({ do: 'go', index: 5 })
    expect(keyAct(list, 5, 'Home', 5)).toEqual({ do: 'go', index: 0 })
    expect(keyAct(list, 1, 'PageDown', 50)).toEqual({ do: 'go', index: 5 })
  })

  it('unfold, go in, go out and fold, as in any tree', () => {
    expect(keyAct(list, 5, 'ArrowRight', 5)).toEqual({ do: 'fold' })
    expect(keyAct(list, 1, 'ArrowRight', 5)).toEqual({ do: 'go', index: 2 })
    expect(keyAct(list, 4, 'ArrowLeft', 5)).toEqual({ do: 'go', index: 3 })
    expect(keyAct(list, 3, 'ArrowLeft', 5)).toEqual({ do: 'go', index: 1 })
    expect(keyAct(list, 1, 'ArrowLeft', 5)).toEqual({ do: 'fold' })
    expect(keyAct(list, 5, 'ArrowLeft', 5)).toBe(undefined)
  })

  it('choose with Enter, and leave other keys alone', () => {
    expect(keyAct(list, 3, 'Enter', 5)).toEqual({ do: 'choose' })
    expect(keyAct(list, 3, 'x', 5)).toBe(undefined)
  })

  it('lead from step to step', () => {
    expect(stepBeside(list, 3, 1)).toBe(5)
    expect(stepBeside(list, 3, -1)).toBe(1)
    expect(stepBeside(list, 5, 1)).toBe(undefined)
  })
})
