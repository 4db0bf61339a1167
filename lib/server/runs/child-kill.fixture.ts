/**
 * A server for the test that kills it while agents work inside calls: it runs one agent that calls others, and
 * writes a line into the file `did` for each body that begins. Arguments: the data folder, the case, and `begin` or
 * `goOn` to recover, approve what waits and follow the run. It prints every event as its readers get it.
 */
import { appendFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '#lib/spec/json'
import { text, tool } from '#lib/spec/tool'
import { openHouse } from '../house.fixture'
import { productParts } from '../parts'

const [, , folder = '', which = '', order = ''] = process.argv
const did = (line: string) => appendFileSync(path.join(folder, 'did'), `${line}\n`)
/** In the first life a body that hangs is at work when the server is killed. */
const hang = () => (order === 'begin' ? new Promise<void>(() => {}) : Promise.resolve())

const common = { label: 'Test', description: 'For the test.', icon: 'send', input: z.object({}) }
const send = tool({
  ...common,
  name: 'send',
  risk: 'write',
  run: async () => {
    did('send')
    if (which === 'effect') await hang()
    return text('sent')
  },
})
const look = tool({
  ...common,
  name: 'look',
  risk: 'read',
  run: async () => {
    did('look')
    await hang()
    return text('seen')
  },
})

const house = openHouse({ folder, parts: { ...productParts, tools: [...productParts.tools, send, look] } })
const { app } = house
const script = (...turns: JsonObject[]) => ({
  provider: 'scripted',
  name: 'script',
  turns,
  paceMs: 0,
})

async function follow(runId: string): Promise<void> {
  for await (const frame of app.runs.watch(runId, 0, new AbortController().signal))
    if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}

if (order === 'begin') {
  const name = which === 'two' ? 'look' : 'send'
  const helper = app.agents.create({
    config: {
      name: 'helper',
      model: script({ calls: [{ name }] }, { text: `${name} is done.` }),
      tools: [{ use: 'builtin', tools: [name] }],
      policies: which === 'approval' ? [{ use: 'approval' }] : [],
    },
  })
  app.agents.publish(helper.id, {})
  const call = (task: string) => ({ name: 'helper', args: { task } })
  const lead = app.agents.create({
    config: {
      name: 'lead',
      model: script({ calls: which === 'two' ? [call('A'), call('B')] : [call('A')] }, { text: 'All done.' }),
      tools: [{ use: 'agent', agent: 'helper' }],
      policies: [{ use: 'execution', strategy: 'parallel' }],
    },
  })
  const { id } = app.runs.create({ agentId: lead.id, input: 'Go.' })
  // The agent that the run calls is gone before the run goes on.
  app.agents.remove(helper.id)
  await follow(id)
} else {
  house.recover()
  const [run] = app.runs.list({}).items
  if (run === undefined) throw new Error('there is no run')
  for (const { callId } of run.pending) await app.runs.decide(run.id, callId, { decision: 'approve' })
  await follow(run.id)
}
await house.leave()
