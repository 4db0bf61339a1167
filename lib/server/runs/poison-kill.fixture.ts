/**
 * A server for the poison test: it begins three runs or resumes the unfinished ones. The tool
 * of one run kills the server.
 */
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import type { Effect, ToolContext } from '#lib/spec/tool'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from './run-house.fixture'

const folder = process.argv[2] ?? ''
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A tool that records that it has begun, and takes half a second. */
function slow(name: string, effect: Effect) {
  const run = async ({ callId }: ToolContext) => {
    appendFileSync(path.join(folder, 'ran.log'), `${name} ${callId}\n`)
    await pause(500)
    return text('Done.')
  }
  return { effect, run }
}

const house = openHouse({
  folder,
  bodies: {
    // It only reads, so it is tried again after each crash.
    crash: {
      effect: 'read',
      run: async () => {
        // By then the other runs are at work and have not finished their step.
        await pause(300)
        process.kill(process.pid, 'SIGKILL')
        return text('Never.')
      },
    },
    look: slow('look', 'read'),
    send_a: slow('send_a', 'effect'),
    send_b: slow('send_b', 'effect'),
  },
})

const innocent = (send: string) =>
  scriptOf([
    { text: 'I send and look.', calls: [{ name: send }, { name: 'look' }] },
    { text: 'Once more.', calls: [{ name: send }] },
    { text: 'All is sent.' },
  ])
const configs = {
  'innocent-a': innocent('send_a'),
  culprit: scriptOf([{ calls: [{ name: 'crash' }] }, { text: 'Done.' }]),
  'innocent-b': innocent('send_b'),
}
if (house.stores.runs.list({}).items.length === 0) {
  for (const [name, config] of Object.entries(configs))
    house.runs.create({ agentId: house.agent(config, name), input: name })
} else house.runs.recover()
await Promise.all(house.stores.runs.unfinished().map(({ id }) => house.end(id)))
await house.leave()
