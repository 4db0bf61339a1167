/**
 * A server for the kill test of skills: it imports a skill and begins a run that reads it and runs its slow script, or
 * resumes the run. It prints each event from its own lifetime, and at the end of the run all events of the run.
 */
import { writeSync } from 'node:fs'
import { zipOf } from '#lib/sandbox/zip.fixture'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, openHouse } from '../house.fixture'
import { scriptOf } from './run-house.fixture'

const script = 'echo ran >> ran.txt\necho begun\nsleep 1\n'
const archive = zipOf([
  { name: 'slow/SKILL.md', content: '---\nname: slow\ndescription: Takes its time.\n---\nRun it.\n' },
  { name: 'slow/go.sh', content: script },
])

const house = openHouse({ folder: process.argv[2] ?? '' })
const { app } = house
const run = { name: 'skill.run', args: { skill: 'slow', script: 'go.sh' } }

async function start(): Promise<string> {
  async function* content() {
    yield archive
  }
  const { skill } = await app.skills.import({ content: content() }, new AbortController().signal)
  const turns: JsonObject[] = [
    { calls: [{ name: 'skill.load', args: { skill: 'slow' } }] },
    { calls: [run] },
    { calls: [run] },
    { text: 'done' },
  ]
  const more = { skills: [{ name: skill.name, hash: skill.hash }] }
  return app.runs.create({ agentId: app.agents.create({ config: scriptOf(turns, more) }).id, input: 'Go.' })
    .id
}

const known = app.runs.list({}).items[0]?.id
const runId = known ?? (await start())
house.recover()
const before = known === undefined ? 0 : app.runs.get(known).seq
for await (const frame of app.runs.watch(runId, before, new AbortController().signal)) {
  if (frame === 'beat') continue
  const event = JSON.parse(frame.json)
  writeSync(1, `${frame.json}\n`)
  if (event.type === 'approval.requested') void app.runs.decide(runId, event.callId, { decision: 'approve' })
}
writeSync(1, `${JSON.stringify(eventsIn(app.runs, runId))}\n`)
await house.leave()
