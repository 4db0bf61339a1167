/** A run that waits for its model lets others run: one endpoint that is down does not stop the other runs. */
import { afterEach, expect, it } from 'vitest'
import { type Given, type House, openHouse, scriptOf } from './run-house.fixture'

const houses: House[] = []
function house(given?: Given): House {
  const opened = openHouse(given)
  houses.push(opened)
  return opened
}
afterEach(async () => {
  for (const each of houses.splice(0)) await each.leave()
})

const down = { text: 'never said', fault: { cutAfter: 2 } }
const stall = { text: 'one two three four', fault: { stallMs: 60_000 } }

/** Resolves when an event of that type is stored. */
async function until(at: House, runId: string, type: string): Promise<void> {
  for await (const frame of at.runs.watch(runId, 0, new AbortController().signal)) {
    if (frame !== 'beat' && frame.type === type) return
  }
  throw new Error(`${runId} ended without ${type}`)
}

it('runs of a model that answers end while another model is down, though all slots are the latter’s', async () => {
  const at = house({ concurrency: 2 })
  const dead = at.agent(scriptOf([down]), 'dead')
  const well = at.agent(scriptOf([{ text: 'Here.' }]), 'well')
  const failing = [1, 2].map(() => at.runs.create({ agentId: dead, input: 'x' }).id)
  const healthy = Array.from({ length: 10 }, () => at.runs.create({ agentId: well, input: 'x' }).id)
  for (const id of [...healthy, ...failing]) await at.end(id)
  for (const id of healthy) expect(at.runs.get(id).status).toBe('completed')
  for (const id of failing) expect(at.runs.get(id).status).toBe('failed')
  const firstBegun = Math.min(...healthy.map((id) => at.runs.get(id).startedAt ?? 0))
  const firstGivenUp = Math.min(...failing.map((id) => at.runs.get(id).finishedAt ?? 0))
  expect(firstBegun).toBeLessThan(firstGivenUp)
}, 60_000)

it('a run says how many are ahead of it while it is queued, and no more once it has begun', async () => {
  const at = house({ concurrency: 1 })
  const slow = at.agent(scriptOf([stall]), 'slow')
  const first = at.runs.create({ agentId: slow, input: 'x' }).id
  await until(at, first, 'text.delta')
  const [second = '', third = ''] = [1, 2].map(() => at.runs.create({ agentId: slow, input: 'x' }).id)
  expect(at.runs.get(first).ahead).toBeUndefined()
  expect([at.runs.get(second).ahead, at.runs.get(third).ahead]).toEqual([0, 1])
  at.runs.cancel(second)
  expect(at.runs.get(third).ahead).toBe(0)
  at.runs.cancel(first)
  await until(at, third, 'text.delta')
  expect(at.runs.get(third).ahead).toBeUndefined()
  at.runs.cancel(third)
})

it('a run that waits for its model is cancelled at once, and taken up again after a drain', async () => {
  const at = house({ concurrency: 1 })
  const dead = at.agent(scriptOf([down]), 'dead')
  const slow = at.agent(scriptOf([stall]), 'slow')
  const [cancelled = '', drained = ''] = [1, 2].map(() => at.runs.create({ agentId: dead, input: 'x' }).id)
  await until(at, cancelled, 'model.retried')
  await until(at, drained, 'model.retried')
  // Both runs have given up their slot or wait for the only one, which this run takes for a minute.
  at.runs.create({ agentId: slow, input: 'x' })
  const from = performance.now()
  at.runs.cancel(cancelled)
  await at.end(cancelled)
  expect(performance.now() - from).toBeLessThan(1_000)
  expect(at.runs.get(cancelled).status).toBe('cancelled')
  await at.runs.drain(2_000)
  expect(at.runs.get(drained)).toMatchObject({ status: 'running', finishedAt: null })
  at.stores.close()
  const next = at.reopen({ concurrency: 2 })
  houses.splice(0, 1, next)
  next.runs.recover()
  await next.end(drained)
  expect(next.runs.get(drained)).toMatchObject({ status: 'failed' })
}, 60_000)
