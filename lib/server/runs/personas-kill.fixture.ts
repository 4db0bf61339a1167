/**
 * A server for the kill test of personas: it begins a run whose model is asked for names, slowly, or resumes it. It
 * prints each event from its own lifetime, and at the end of the run all events of the run.
 */
import { writeSync } from 'node:fs'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, openHouse } from '../house.fixture'

const house = openHouse({ folder: process.argv[2] ?? '' })
const { app } = house

function begin(): string {
  const turns: JsonObject[] = [{ calls: [{ name: 'time.now' }] }, { text: 'Noon.' }]
  const model = {
    provider: 'scripted',
    name: 'script',
    turns,
    completions: [{ purpose: 'Personas', text: '{ "time.now": "Bell" }' }],
    paceMs: 200,
  }
  const tools = [{ use: 'builtin', tools: ['time.now'] }]
  const policies = [{ use: 'personas', generate: true }]
  const { id } = app.agents.create({ config: { name: 'clock', model, tools, policies } })
  return app.runs.create({ agentId: id, input: 'What time is it?' }).id
}

const known = app.runs.list({}).items[0]?.id
const runId = known ?? begin()
house.recover()
const before = known === undefined ? 0 : app.runs.get(known).seq
for await (const frame of app.runs.watch(runId, before, new AbortController().signal))
  if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
writeSync(1, `${JSON.stringify(eventsIn(app.runs, runId))}\n`)
await house.leave()
