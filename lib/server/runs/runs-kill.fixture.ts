/**
 * A server for the kill test: it resumes the unfinished run or begins a long one, and prints what a reader of
 * this lifetime sees. With `dies` it stops after a step and a half, however late it is killed.
 */
import { appendFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from './run-house.fixture'

const folder = process.argv[2] ?? ''
const note = (tool: string, callId: string) =>
  appendFileSync(path.join(folder, 'ran.log'), `${tool} ${callId}\n`)
let bodies = process.argv[3] === 'dies' ? 3 : Number.POSITIVE_INFINITY
const pause = () => new Promise((resolve) => setTimeout(resolve, bodies-- > 0 ? 15 : 120_000))

const house = openHouse({
  folder,
  bodies: {
    send: {
      effect: 'effect',
      run: async ({ callId }) => {
        note('send', callId)
        await pause()
        return text('sent')
      },
    },
    look: {
      effect: 'read',
      run: async ({ callId }) => {
        note('look', callId)
        await pause()
        return text('seen')
      },
    },
  },
})
const steps = 14
const step = { reasoning: 'First I look, then I send.', calls: [{ name: 'look' }, { name: 'send' }] }
const config = scriptOf([...Array.from({ length: steps }, () => step), { text: 'All is sent.' }], {
  policies: [{ use: 'steps', max: steps + 1 }],
})
const known = house.stores.runs.list({}).items[0]?.id
const runId = known ?? house.runs.create({ agentId: house.agent(config), input: 'Send it.' }).id
const before = known === undefined ? 0 : house.runs.get(known).seq
house.runs.recover()
for await (const frame of house.runs.watch(runId, before, new AbortController().signal)) {
  if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}
await house.leave()
