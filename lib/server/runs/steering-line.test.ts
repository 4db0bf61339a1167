import { expect, it } from 'vitest'
import { emitter } from '#lib/agent/engine'
import { start } from '#lib/agent/state/start'
import type { RunEvent } from '#lib/spec/event'
import { systemClock } from '../clock'
import { Steering } from './steering-line'

const agent = { id: null, name: 'tester', version: 'draft' as const, configHash: 'c0ffee' }

it('E-37 a message comes after an event that the loop has numbered and not stored yet', async () => {
  const state = start({ agent, input: 'How much?', threadId: null, historyThrough: null, history: [] })
  const stored: RunEvent[] = []
  const steering = new Steering()
  const early = steering.say('before the state is known')
  steering.open(state, systemClock, (event) => stored.push(event))
  const numbered = emitter(state, { clock: systemClock })({ type: 'run.summarizing', reason: 'x' })
  const said = steering.say('meanwhile')
  expect(stored.map(({ seq }) => seq)).toEqual([1])
  stored.push(numbered)
  steering.stored(numbered)
  expect(await Promise.all([early, said])).toEqual(['said', 'said'])
  expect(stored.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
    '1 run.steered',
    '2 run.summarizing',
    '3 run.steered',
  ])
  steering.close()
  expect(await steering.say('too late')).toBe('ended')
})
