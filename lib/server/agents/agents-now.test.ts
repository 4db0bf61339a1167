import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { ask, type House, openHouse } from '../house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const calling = (name: string, ...others: string[]): JsonObject => ({
  name,
  tools: others.map((agent) => ({ use: 'agent', agent, version: 'draft' })),
})
const draw = (config: JsonObject) => house.app.agents.create({ config })

test('S1-24 what an agent may do is told where an agent that it calls is called by itself through two others', async () => {
  draw(calling('ring-a', 'ring-b'))
  draw(calling('ring-b', 'ring-c'))
  draw(calling('ring-c', 'ring-a'))
  const { graph } = draw(calling('lead', 'ring-a'))
  const response = await ask('/api/authority', { method: 'POST', body: { graph } })
  const { authority } = await response.json()
  // No run of it begins, so the tool is not offered; the finding of the drawing says why.
  expect(authority.offered).toEqual([])
})
