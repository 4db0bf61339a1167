import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { text } from '#lib/spec/tool'
import { type Given, type House, openHouse, scriptOf } from './run-house.fixture'
import { createStreams } from './streams'

const warnings: string[] = []
const onWarning = (warning: Error) => void warnings.push(warning.name)
let house: House | undefined
beforeEach(() => {
  warnings.length = 0
  process.on('warning', onWarning)
})
afterEach(async () => {
  await house?.leave()
  process.off('warning', onWarning)
})

async function open(given: Given): Promise<House> {
  house = openHouse(given)
  return house
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 20))

it('each of many seats has a signal of its own, and all of them end with the server', () => {
  const streams = createStreams({ perRun: 40, total: 40 })
  let ended = 0
  const seats = Array.from({ length: 40 }, () => streams.take('run_1'))
  for (const seat of seats) seat?.signal.addEventListener('abort', () => ended++)
  for (const seat of seats) if (seat) expect(getEventListeners(seat.signal, 'abort')).toHaveLength(1)
  streams.close()
  expect(ended).toBe(40)
  for (const seat of seats) seat?.release()
  expect(streams.take('run_1')?.signal.aborted).toBe(true)
})

it('forty calls that wait for a person warn of no listeners', async () => {
  const send = { effect: 'effect' as const, run: async () => text('sent') }
  const { runs, agent } = await open({ bodies: { send } })
  const calls = Array.from({ length: 40 }, () => ({ name: 'send' }))
  const policies = [{ use: 'approval', appliesTo: ['send'], timeoutSeconds: 60 }]
  const { id } = runs.create({ agentId: agent(scriptOf([{ calls }], { policies })), input: 'Send it.' })
  await expect.poll(() => runs.get(id).pending.length).toBe(40)
  await turn()
  expect(warnings).toEqual([])
})

it('forty calls of one step that run side by side warn of no listeners', async () => {
  let atWork = 0
  let most = 0
  const look = {
    effect: 'read' as const,
    run: async () => {
      most = Math.max(most, ++atWork)
      await turn()
      atWork -= 1
      return text('seen')
    },
  }
  const { runs, agent, end } = await open({ bodies: { look } })
  const calls = Array.from({ length: 40 }, () => ({ name: 'look' }))
  const config = scriptOf([{ calls }, { text: 'Done.' }], {
    policies: [{ use: 'execution', strategy: 'parallel', concurrency: 32 }],
  })
  const { id } = runs.create({ agentId: agent(config), input: 'Look.' })
  await end(id)
  expect(runs.get(id)).toMatchObject({ status: 'completed' })
  expect(most).toBeGreaterThan(10)
  expect(warnings).toEqual([])
})
