/**
 * A server for the kill tests of memory: its first life records a note and hangs in the next call, or ends itself before
 * or after the note is stored; the next life ends the run and prints what is remembered and what the events say.
 */
import { writeSync } from 'node:fs'
import path from 'node:path'
import { openStores } from '#db/open'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { RunStore } from '#lib/spec/store'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from '../runs/run-house.fixture'
import { createMemory } from './memory'

const folder = process.argv[2] ?? ''
const mode = process.argv[3]
const hangs = mode === 'hangs'
const stores = openStores(path.join(folder, 'loopwright.db'))
const die = () => process.kill(process.pid, 'SIGKILL')
const append: RunStore['append'] = (batch) => {
  const isRecording = batch.some(({ event }) => event.type === 'memory.recorded')
  if (isRecording && mode === 'before') die()
  const refused = stores.runs.append(batch)
  if (isRecording && mode === 'after') die()
  return refused
}

const house = openHouse({
  folder,
  stores: { ...stores, runs: { ...stores.runs, append } },
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
if (mode !== 'ends') {
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
