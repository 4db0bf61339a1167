/**
 * A server for the kill test of changing tools: it resumes an unfinished run, or begins one. It prints each
 * event from its own lifetime, and at the end all events of the run, and whether each request was rebuilt
 * exactly.
 */
import { writeSync } from 'node:fs'
import { eventsIn, openHouse } from '../house.fixture'
import { changingConfig, changingParts } from './changing.fixture'

const [folder = '', format = 'native', provider, endpoint = '', baseUrl = ''] = process.argv.slice(2)
const house = openHouse({
  folder,
  parts: changingParts,
  ...(provider !== undefined && {
    outbound: { providers: { [endpoint]: { baseUrl, key: 'sk-test-1234567890' } }, allowHosts: [] },
  }),
})
const { app } = house
const model = provider === undefined ? undefined : { provider, name: 'model-large' }
const config = changingConfig(format, model)
const known = app.runs.list({}).items[0]?.id
const begin = () => app.runs.create({ agentId: app.agents.create({ config }).id, input: 'Go.' }).id
const runId = known ?? begin()
house.recover()
const before = known === undefined ? 0 : app.runs.get(known).seq
for await (const frame of app.runs.watch(runId, before, new AbortController().signal)) {
  if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}
const events = eventsIn(app.runs, runId)
const steps = events.flatMap((each) =>
  each.type === 'step.started' && each.parent === undefined ? [each.step] : [],
)
const exact: boolean[] = []
for (const step of steps) exact.push((await app.runs.request(runId, step)).exact)
writeSync(1, `${JSON.stringify({ events, exact })}\n`)
await house.leave()
