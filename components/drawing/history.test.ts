import { describe, expect, it } from 'vitest'
import { gesturePause, historyLength, record, redo, startHistory, undo } from './history'

describe('history', () => {
  it('goes back and forth over every entry', () => {
    const two = record(record(startHistory('a'), 'b', null, 0), 'c', null, 0)
    expect(undo(two).present).toBe('b')
    expect(undo(undo(two)).present).toBe('a')
    expect(redo(undo(two)).present).toBe('c')
    expect(undo(undo(undo(two))).present).toBe('a')
    expect(redo(two)).toBe(two)
  })

  it('takes the changes of one gesture as one entry, until a pause or another gesture', () => {
    let history = startHistory('')
    for (const [at, text] of ['r', 're', 'ret'].entries())
      history = record(history, text, 'agent.name', at * 100)
    expect(undo(history).present).toBe('')
    history = record(history, 'reta', 'agent.name', 200 + gesturePause)
    expect(undo(history).present).toBe('ret')
    history = record(history, 'other', 'agent.title', 201 + gesturePause)
    expect(undo(history).present).toBe('reta')
  })

  it('starts a new entry after an undo, and forgets what was undone', () => {
    const typed = record(record(startHistory('a'), 'b', 'x', 0), 'c', 'y', 10)
    const again = record(undo(typed), 'd', 'y', 20)
    expect(again.future).toEqual([])
    expect(undo(again).present).toBe('b')
  })

  it('records nothing when nothing changed', () => {
    const history = startHistory('a')
    expect(record(history, 'a', null, 0)).toBe(history)
  })

  it('keeps a bounded past', () => {
    let history = startHistory(0)
    for (let n = 1; n <= historyLength + 50; n++) history = record(history, n, null, n)
    expect(history.past).toHaveLength(historyLength)
  })
})
