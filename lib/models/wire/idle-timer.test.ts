import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IdleTimer } from './idle-timer'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function watching() {
  const stall = vi.fn()
  const watch = new IdleTimer({ firstContentMs: 120, betweenMs: 60 }, stall)
  watch.start()
  return { watch, stall }
}

describe('L6: a watch', () => {
  test('ends an answer that says nothing, and tells for how long', () => {
    const { watch, stall } = watching()
    vi.advanceTimersByTime(119)
    expect(stall).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2)
    expect(stall).toHaveBeenCalledOnce()
    expect(watch.stalled).toEqual({ wait: 'firstContent', ms: 120 })
  })

  test('waits anew after each content, and then less', () => {
    const { watch, stall } = watching()
    vi.advanceTimersByTime(100)
    for (let count = 0; count < 5; count++) {
      watch.content()
      vi.advanceTimersByTime(59)
    }
    expect(stall).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2)
    expect(watch.stalled).toEqual({ wait: 'between', ms: 60 })
  })

  test('waits little for what may follow the end, and content does not prolong it', () => {
    const { watch, stall } = watching()
    watch.content()
    watch.ending()
    vi.advanceTimersByTime(50)
    watch.content()
    vi.advanceTimersByTime(11)
    expect(stall).toHaveBeenCalledOnce()
    expect(watch.stalled).toEqual({ wait: 'end', ms: 60 })
  })

  test('hears first what came while the process slept', () => {
    const { watch, stall } = watching()
    setTimeout(() => setImmediate(() => watch.content()), 119)
    vi.advanceTimersByTime(150)
    expect(stall).not.toHaveBeenCalled()
    watch.content()
    setTimeout(() => watch.content(), 60)
    vi.advanceTimersByTime(61)
    expect(stall).not.toHaveBeenCalled()
  })

  test('that has been stopped says nothing more', () => {
    const { watch, stall } = watching()
    vi.advanceTimersByTime(119)
    watch.stop()
    vi.advanceTimersByTime(1_000)
    expect(stall).not.toHaveBeenCalled()
  })
})
