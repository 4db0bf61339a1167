/**
 * A server for the test that kills it while a call of an MCP program is under way. Arguments: the data folder, and
 * `begin` with the program and the file into which it writes its process ids, or `again` to recover the run and follow it
 * to its end. It prints every event as its readers get it.
 */
import { writeSync } from 'node:fs'
import type { JsonObject } from '#lib/spec/json'
import { openHouse } from '../house.fixture'
import { bodyOf, consent, routes } from '../mcp/servers-set-up.fixture'

const [, , folder = '', order = '', program = '', log = ''] = process.argv
const house = openHouse({ folder })
const { app } = house
const turns: JsonObject[] = [{ calls: [{ name: 'it.hang' }] }, { text: 'That call did not end.' }]

async function follow(runId: string): Promise<void> {
  for await (const frame of app.runs.watch(runId, 0, new AbortController().signal))
    if (frame !== 'beat') writeSync(1, `${frame.json}\n`)
}

if (order === 'begin') {
  const args = [program, '--child', '--log', log]
  const reach = { transport: 'stdio', command: process.execPath, args, env: {} }
  await bodyOf(routes.all, { body: { name: 'it', reach } })
  await consent('it')
  const config = {
    name: 'caller',
    model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
    tools: [{ use: 'mcp', server: 'it', enable: ['hang'] }],
  }
  const agentId = app.agents.create({ config }).id
  await follow(app.runs.create({ agentId, input: 'Call it.' }).id)
} else {
  writeSync(1, 'started\n')
  house.recover()
  const [run] = app.runs.list({}).items
  if (run === undefined) throw new Error('there is no run')
  await follow(run.id)
}
await house.leave()
