/**
 * A server for the kill test of messages: its first life begins a run and gives it two messages, then hangs in a
 * call; the next life resumes the run and prints its messages.
 */
import { writeSync } from 'node:fs'
import { text } from '#lib/spec/tool'
import { openHouse, scriptOf } from './run-house.fixture'

const folder = process.argv[2] ?? ''
const hangs = process.argv[3] === 'hangs'

let begun: () => void = () => undefined
const isAtWork = new Promise<void>((resolve) => {
  begun = resolve
})
const house = openHouse({
  folder,
  bodies: {
    look: {
      effect: 'read',
      run: async () => {
        begun()
        if (hangs) await new Promise((resolve) => setTimeout(resolve, 120_000))
        return text('seen')
      },
    },
  },
})
if (hangs) {
  const agentId = house.agent(scriptOf([{ calls: [{ name: 'look' }] }, { text: 'Seen.' }]))
  const { threadId } = house.runs.create({ agentId, input: 'first' })
  await isAtWork
  for (const input of ['one', 'two']) await house.runs.steer({ agentId, threadId, input })
  house.runs.create({ agentId, threadId, input: 'behind', whenBusy: 'queue' })
  writeSync(1, 'accepted\n')
  await new Promise((resolve) => setTimeout(resolve, 120_000))
}
house.runs.recover()
const [behind, first] = house.runs.list({}).items
for (const run of [first, behind]) {
  if (run === undefined) continue
  await house.end(run.id)
  const said = house.runs.messages(run.id).flatMap((each) => (each.role === 'user' ? [each.text] : []))
  const { status, historyThrough } = house.stores.runs.get(run.id) ?? {}
  writeSync(1, `${JSON.stringify({ said, status, isNext: historyThrough === first?.id })}\n`)
}
await house.leave()
