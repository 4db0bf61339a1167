import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { CallingRun } from '#lib/spec/tool'
import { type House, openHouse, scriptOf } from './run-house.fixture'

let house: House | undefined
afterEach(() => house?.leave())

it('S0-05 a tool knows its agent, run, thread and step', async () => {
  const heard: CallingRun[] = []
  const look = {
    effect: 'read' as const,
    run: async ({ run }: { run: CallingRun }) => {
      heard.push(run)
      return { ok: true as const, blocks: [] }
    },
  }
  house = openHouse({ bodies: { look } })
  const turns: JsonObject[] = [
    { calls: [{ name: 'look' }] },
    { calls: [{ name: 'look' }] },
    { text: 'Done.' },
  ]
  const agentId = house.agent(scriptOf(turns))
  const { id, threadId } = house.runs.create({ agentId, input: 'Look.' })
  await house.end(id)
  const agent = { id: agentId, name: 'scripted-agent' }
  expect(heard).toEqual([
    { id, agent, thread: threadId, step: 1 },
    { id, agent, thread: threadId, step: 2 },
  ])
})
