/**
 * A server for the kill test of code tools: it resumes an unfinished run, or begins one whose
 * code tool appends to a file. It prints each event from its own lifetime, and at the end of
 * the run all events of the run.
 */
import { writeSync } from 'node:fs'
import { eventsIn, openHouse } from '../house.fixture'
import { scriptOf } from './run-house.fixture'

const append = `
const text = await files.read('ran.txt').catch(() => '')
await files.write('ran.txt', text + args.line + '\\n')
console.log('written')
await new Promise((done) => setTimeout(done, 250))
return 'appended'`

const house = openHouse({ folder: process.argv[2] ?? '' })
const { app } = house
const lines = ['one', 'two', 'three', 'four', 'five']
const config = scriptOf(
  [...lines.map((line) => ({ calls: [{ name: 'append', args: { line } }] })), { text: 'done' }],
  { tools: [{ use: 'code', name: 'append', source: append }] },
)
const known = app.runs.list({}).items[0]?.id
const start = () => app.runs.create({ agentId: app.agents.create({ config }).id, input: 'Append.' }).id
const runId = known ?? start()
house.recover()
const before = known === undefined ? 0 : app.runs.get(known).seq
for await (const frame of app.runs.watch(runId, before, new AbortController().signal)) {
  if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}
writeSync(1, `${JSON.stringify(eventsIn(app.runs, runId))}\n`)
await house.leave()
