/**
 * A server for the test that kills it around a question: it runs one agent whose call asks a person, and writes a
 * line into the file `sent` each time the body runs to its end. Arguments: the data folder, and `begin`, or `reply`
 * to recover, reply and follow the run. It prints every event as its readers get it.
 */
import { appendFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { JsonObject } from '#lib/spec/json'
import { text, tool } from '#lib/spec/tool'
import { openHouse } from '../house.fixture'
import { productParts } from '../parts'

const [, , folder = '', order = ''] = process.argv

const book = tool({
  name: 'book',
  label: 'Book',
  description: 'Books a trip.',
  icon: 'send',
  risk: 'write',
  input: z.object({}),
  run: async (_, { answered }) => {
    if (answered === undefined)
      return {
        ok: 'asks',
        questions: [{ inputId: 'city', from: 'tool', question: 'Where to?' }],
        state: 'half',
      }
    const { state, replies } = answered
    appendFileSync(path.join(folder, 'sent'), `${String(state)} ${replies.city?.text}\n`)
    return text(`booked ${replies.city?.text}`)
  },
})

const house = openHouse({ folder, parts: { ...productParts, tools: [...productParts.tools, book] } })
const { app } = house
const turns: JsonObject[] = [{ calls: [{ name: 'book' }] }, { text: 'Have a good trip.' }]

async function follow(runId: string): Promise<void> {
  for await (const frame of app.runs.watch(runId, 0, new AbortController().signal))
    if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}

if (order === 'begin') {
  const config = {
    name: 'booker',
    model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
    tools: [{ use: 'builtin', tools: ['book'] }],
  }
  const agentId = app.agents.create({ config }).id
  await follow(app.runs.create({ agentId, input: 'Book it.' }).id)
} else {
  house.recover()
  const [run] = app.runs.list({}).items
  if (run === undefined) throw new Error('there is no run')
  if (run.pending.length > 0) await app.runs.reply(run.id, 'call_1_1', { text: 'Lisbon' })
  await follow(run.id)
}
await house.leave()
