import { describe, expect, test } from 'vitest'
import { createBreakers } from './breaker'

function at(time = 0) {
  const clock = { time, monotonic: () => clock.time }
  const breakers = createBreakers({ clock })
  return { clock, breakers, breaker: breakers.of('openai', 'gpt-5-mini') }
}

describe('L4: a breaker', () => {
  test('opens after five failures in a row, and grants one turn when it has rested', () => {
    const { clock, breaker } = at(1_000)
    for (let turn = 0; turn < 5; turn++) {
      expect(breaker.waitMs()).toBe(0)
      breaker.failed()
    }
    expect(breaker.waitMs()).toBe(30_000)
    clock.time += 29_000
    expect(breaker.waitMs()).toBe(1_000)
    clock.time += 1_000
    expect(breaker.waitMs()).toBe(0)
    expect(breaker.waitMs()).toBeGreaterThan(0)
    breaker.succeeded()
    expect([breaker.waitMs(), breaker.waitMs()]).toEqual([0, 0])
  })

  test('rests again when the one that tried has failed, and lets another try when it told nothing', () => {
    const { clock, breaker } = at()
    for (let turn = 0; turn < 5; turn++) breaker.failed()
    clock.time = 30_000
    expect(breaker.waitMs()).toBe(0)
    breaker.failed()
    expect(breaker.waitMs()).toBe(30_000)
    clock.time = 60_000
    expect(breaker.waitMs()).toBe(0)
    breaker.released()
    expect(breaker.waitMs()).toBe(0)
  })

  test('lets the others ask as soon as the one that tries is answered, and rests again when that breaks', () => {
    const { clock, breaker } = at()
    for (let turn = 0; turn < 5; turn++) breaker.failed()
    clock.time = 30_000
    expect([breaker.waitMs(), breaker.waitMs()]).toEqual([0, 10_000])
    breaker.answering()
    expect(breaker.waitMs()).toBe(0)
    breaker.failed()
    expect(breaker.waitMs()).toBe(30_000)
  })

  test('counts only failures in a row, and not those that were asked before it opened', () => {
    const { clock, breaker } = at()
    for (let turn = 0; turn < 20; turn++) {
      breaker.failed()
      if (turn % 4 === 3) breaker.succeeded()
    }
    expect(breaker.waitMs()).toBe(0)
    for (let turn = 0; turn < 5; turn++) breaker.failed()
    clock.time = 10_000
    breaker.failed()
    expect(breaker.waitMs()).toBe(20_000)
  })

  test('does not stay closed for ever when a turn is never given back', () => {
    const { clock, breaker } = at()
    for (let turn = 0; turn < 5; turn++) breaker.failed()
    clock.time = 30_000
    breaker.waitMs()
    clock.time += 300_000
    expect(breaker.waitMs()).toBe(0)
  })

  test('is one for each model of each provider', () => {
    const { breakers, breaker } = at()
    for (let turn = 0; turn < 5; turn++) breaker.failed()
    expect(breakers.of('openai', 'gpt-5-mini')).toBe(breaker)
    expect(breakers.of('openai', 'gpt-5').waitMs()).toBe(0)
    expect(breakers.of('local', 'gpt-5-mini').waitMs()).toBe(0)
  })
})
