/**
 * A server for the kill test of memory: its first life records a note and hangs in the next call; the next life
 * ends the run and prints what is remembered and what the events say.
 */
import { writeSync } from 'node:fs'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from '../runs/run-house.fixture'
import { createMemory } from './memory'

const folder = process.argv[2] ?? ''
const hangs = process.argv[3] === 'hangs'

const house = openHouse({
  folder,
  bodies: {
    look: {
      effect: 'read',
      run: async () => {
        if (!hangs) return text('seen')
        writeSync(1, 'recorded\n')
        await new Promise((resolve) => setTimeout(resolve, 120_000))
        return text('never')
      },
    },
  },
  ports: (row) => ({ ...closedPorts, memory: memoryOf().port(row) }),
})
function memoryOf() {
  return createMemory({ stores: house.stores, now: Date.now })
}
if (hangs) {
  const turns: JsonObject[] = [
    { calls: [{ name: 'memory.record', args: { notes: ['Tea.', 'Dog.'] } }] },
    { calls: [{ name: 'look' }] },
    { text: 'Done.' },
  ]
  const agentId = house.agent(scriptOf(turns, { tools: [{ use: 'memory' }] }))
  house.runs.create({ agentId, input: 'Go.', user: 'ada' })
  await new Promise((resolve) => setTimeout(resolve, 120_000))
}
house.runs.recover()
const [run] = house.runs.list({}).items
if (run !== undefined) {
  await house.end(run.id)
  const events = house.stores.runs.events(run.id)
  for (const type of ['memory.retrieved', 'memory.recorded'])
    writeSync(1, `${type} ${events.filter((each) => each.type === type).length}\n`)
  const { items } = house.stores.memories.list({ agentId: run.agent.id ?? '' })
  for (const each of items.toReversed()) writeSync(1, `${each.owner} ${each.text.replace('\n', ' ')}\n`)
  writeSync(1, `${house.stores.runs.get(run.id)?.status}\n`)
}
await house.leave()
