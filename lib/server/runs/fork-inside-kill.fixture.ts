/**
 * A server for the test that kills it in a fork that continues inside a call: one agent calls a second one, which calls
 * a third one, and the run is forked at a step of the third. It writes a line into the file `did` for each body that
 * begins. Arguments: the data folder, the case, and `begin` or `goOn` to recover and follow the fork. It prints every
 * event of the fork as its readers get it.
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
/** A body of the fork is at work when the server is killed: it says so, and does not end. */
let hangs = false
const hang = () => {
  if (!hangs) return Promise.resolve()
  writeSync(1, 'at work\n')
  return new Promise<void>(() => {})
}

const input = z.object({ text: z.string() })
const common = { label: 'Test', description: 'For the test.', icon: 'send', input }
const act = (name: string) => async (args: z.output<typeof input>) => {
  did(`${name} ${args.text}`)
  await hang()
  return text(`${name} ${args.text} is done`)
}
const send = tool({ ...common, name: 'send', risk: 'write', run: act('send') })
const look = tool({ ...common, name: 'look', risk: 'read', run: act('look') })

const house = openHouse({ folder, parts: { ...productParts, tools: [...productParts.tools, send, look] } })
const { app } = house

async function follow(runId: string, shown: boolean): Promise<void> {
  for await (const frame of app.runs.watch(runId, 0, new AbortController().signal))
    if (shown && frame !== 'beat') writeSync(1, `${frame.json}\n`)
}

function publish(name: string, tools: JsonObject[], turns: JsonObject[]): string {
  const model = { provider: 'scripted', name: 'script', turns, paceMs: 0 }
  const { id } = app.agents.create({ config: { name, instructions: 'Be brief.', model, tools } })
  app.agents.publish(id, {})
  return id
}

if (order === 'begin') {
  const call = (name: string, args: JsonObject) => ({ calls: [{ name, args }] })
  const second = which === 'read' ? 'look' : 'send'
  const ids = [
    publish(
      'worker',
      [{ use: 'builtin', tools: ['send', 'look'] }],
      [call('send', { text: 'one' }), call(second, { text: 'two' }), { text: 'Both are done.' }],
    ),
    publish(
      'foreman',
      [{ use: 'agent', agent: 'worker' }],
      [call('worker', { task: 'Work.' }), { text: 'Work is done.' }],
    ),
    publish(
      'lead',
      [{ use: 'agent', agent: 'foreman' }],
      [call('foreman', { task: 'Go.' }), { text: 'All done.' }],
    ),
  ]
  const { id } = app.runs.create({ agentId: ids.at(-1) ?? '', input: 'Go.' })
  await follow(id, false)
  hangs = true
  const fork = await app.runs.fork(id, {
    parent: 'call_1_1/call_1_1',
    step: 2,
    edit: { callId: 'call_2_1', args: { text: 'three' } },
    overrides: { instructions: 'Be long.' },
  })
  if (which === 'made') process.kill(process.pid, 'SIGKILL')
  // Nothing but what is stored with the fork is left of the agents that it calls.
  for (const each of ids.slice(0, 2)) app.agents.remove(each)
  await follow(fork.id, true)
} else {
  house.recover()
  const fork = app.runs.list({}).items.find(({ forkedFrom }) => forkedFrom !== null)
  if (fork === undefined) throw new Error('there is no fork')
  await follow(fork.id, true)
  const asked = await app.runs.request(fork.id, 3, 'call_1_1/call_1_1')
  writeSync(1, `${JSON.stringify({ asked })}\n`)
}
await house.leave()
