import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WarmChildren } from './warm-children'

function child() {
  const made = {
    isAlive: true,
    kill() {
      made.isAlive = false
    },
  }
  return made
}

describe('a warm child', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('serves only its owner, once', () => {
    const warm = new WarmChildren()
    const own = child()
    warm.put('a', own)
    expect(warm.take('b')).toBeUndefined()
    expect(warm.take(undefined)).toBeUndefined()
    expect(warm.take('a')).toBe(own)
    expect(warm.take('a')).toBeUndefined()
  })

  it('ends when nobody needs it for a minute', () => {
    const warm = new WarmChildren()
    const own = child()
    warm.put('a', own)
    vi.advanceTimersByTime(59_000)
    expect(own.isAlive).toBe(true)
    vi.advanceTimersByTime(2_000)
    expect(own.isAlive).toBe(false)
  })

  it('without an owner ends at once', () => {
    const own = child()
    new WarmChildren().put(undefined, own)
    expect(own.isAlive).toBe(false)
  })

  it('makes room for a younger one when there are too many', () => {
    const warm = new WarmChildren()
    const all = ['a', 'b', 'c'].map((owner) => {
      const own = child()
      warm.put(owner, own)
      return own
    })
    expect(all.map(({ isAlive }) => isAlive)).toEqual([false, true, true])
    warm.close()
    expect(all.map(({ isAlive }) => isAlive)).toEqual([false, false, false])
  })
})
