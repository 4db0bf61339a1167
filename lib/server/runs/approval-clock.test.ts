/** The time that a person has to decide does not change when the system clock is changed. */
import { afterEach, expect, it } from 'vitest'
import { text } from '#lib/spec/tool'
import { systemClock } from '../clock'
import { type House, openHouse, scriptOf } from './run-house.fixture'

const day = 24 * 3_600_000
let ahead = 0
const clock = { ...systemClock, now: () => systemClock.now() + ahead }
const bodies = { send: { effect: 'effect' as const, run: async () => text('sent') } }

let house: House
afterEach(async () => {
  ahead = 0
  await house.leave()
})

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A run whose one call waits for a person, for at most so many seconds. */
async function asked(timeoutSeconds: number): Promise<string> {
  house = openHouse({ bodies, clock })
  const policies = [{ use: 'approval', appliesTo: ['send'], timeoutSeconds }]
  const agentId = house.agent(scriptOf([{ calls: [{ name: 'send' }] }, { text: 'Done.' }], { policies }))
  const { id } = house.runs.create({ agentId, input: 'Send it.' })
  await until(() => house.runs.get(id).status === 'waiting')
  return id
}

const decidedBy = (id: string) =>
  house.stores.runs.events(id).flatMap((event) => (event.type === 'approval.decided' ? [event.by] : []))

it('a clock set a day back keeps nothing waiting for a day longer', async () => {
  const id = await asked(1)
  ahead = -day
  await house.end(id)
  expect(decidedBy(id)).toEqual(['timeout'])
})

it('a clock set a day forward takes no time from whoever has to decide', async () => {
  const id = await asked(600)
  ahead = day
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(house.runs.get(id).status).toBe('waiting')
  await house.runs.decide(id, 'call_1_1', { decision: 'approve' })
  await house.end(id)
  expect(decidedBy(id)).toEqual(['person'])
})

it('a clock that is a day back when the server starts again leaves no more time than was given', async () => {
  const id = await asked(2)
  await house.runs.drain(20_000)
  house.stores.close()
  ahead = -day
  house = house.reopen()
  house.runs.recover()
  await house.end(id)
  expect(decidedBy(id)).toEqual(['timeout'])
}, 20_000)

it('a decided call leaves no timer behind, however many there were', async () => {
  const warnings: string[] = []
  const hear = (warning: Error) => warnings.push(warning.name)
  process.on('warning', hear)
  let sleeps = 0
  const counting = {
    ...clock,
    sleep: (ms: number, signal: AbortSignal) => {
      if (ms < 500_000) return clock.sleep(ms, signal)
      sleeps += 1
      return clock.sleep(ms, signal).finally(() => {
        sleeps -= 1
      })
    },
  }
  house = openHouse({ bodies, clock: counting })
  const policies = [{ use: 'approval', appliesTo: ['send'], timeoutSeconds: 600 }]
  const calls = Array.from({ length: 15 }, () => ({ name: 'send' }))
  const agentId = house.agent(scriptOf([{ calls }, { text: 'Done.' }], { policies }))
  const { id } = house.runs.create({ agentId, input: 'Send it.' })
  await until(() => house.runs.get(id).status === 'waiting')
  expect(sleeps).toBe(15)
  for (let n = 1; n <= 15; n++) await house.runs.decide(id, `call_1_${n}`, { decision: 'approve' })
  await house.end(id)
  await until(() => sleeps === 0)
  process.off('warning', hear)
  expect(warnings).toEqual([])
}, 20_000)
