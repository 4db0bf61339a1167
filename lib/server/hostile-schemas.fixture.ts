/**
 * A server for the test of hostile schemas: it prints its port, answers `/api/health`, repeats the work of its
 * agents until it is stopped, and stops on SIGTERM.
 */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { ask, openHouse } from './house.fixture'

const house = openHouse({ folder: process.argv[2] ?? '' })
const { app } = house
const server = http.createServer(async (_request, response) => {
  const answer = await ask('/api/health')
  response.end(await answer.text())
})
server.listen(0, '127.0.0.1', () => {
  // cast: a server that listens on TCP has such an address
  process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`)
})
let isStopping = false
process.once('SIGTERM', async () => {
  isStopping = true
  await house.leave()
  server.close()
  server.closeAllConnections()
  process.exit(0)
})

const spread = (count: number) => Array.from({ length: count }, (_, index) => index)
const twice = { $ref: '#/$defs/a' }
const deep = (levels: number): JsonValue => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`)
const one = (schema: JsonObject, value: JsonValue) => ({
  schema: { type: 'object', properties: { value: schema } },
  value,
})
const cases: Record<string, { schema: JsonObject; value: JsonValue }> = {
  pattern: one({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(3000)}!`),
  keys: one({ patternProperties: { '^(\\w+\\s?)*$': false } }, { [`${'a'.repeat(3000)}!`]: 1 }),
  format: one({ type: 'string', format: 'url' }, `http://${'a-'.repeat(3000)}`),
  unique: one({ type: 'array', uniqueItems: true }, spread(6_000)),
  branches: {
    schema: {
      type: 'object',
      properties: { value: twice },
      $defs: { a: { anyOf: [{ properties: { a: twice } }, { properties: { a: twice } }] } },
    },
    value: deep(50),
  },
  circle: one({ anyOf: [{ $ref: '#/properties/value' }, { $ref: '#/properties/value' }] }, 1),
}

const name = 'hostile.tool'
const tool = (parameters: JsonObject): JsonObject => ({
  use: 'code',
  name,
  parameters,
  source: 'return "ran"',
})
const script = (turns: JsonObject[], more: JsonObject): JsonObject => ({
  name: 'hostile',
  model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
  ...more,
})
const open: JsonObject = { type: 'object' }

async function ended(agentId: string, whileAt?: (id: string) => Promise<void>): Promise<void> {
  const { id } = app.runs.create({ agentId, input: 'x' })
  for await (const frame of app.runs.watch(id, 0, new AbortController().signal)) {
    if (frame !== 'beat' && frame.type === 'approval.requested') await whileAt?.(id)
  }
}

const adds = (config: JsonObject) => app.agents.importFile(config, { rename: true }).id

async function attack(label: string, { schema, value }: { schema: JsonObject; value: JsonValue }) {
  const args = { value }
  const calls: JsonObject[] = [{ calls: spread(5).map(() => ({ name, args })) }, { text: 'Done.' }]
  const own = adds(script(calls, { tools: [tool(schema)] }))
  await ended(own)
  await app.dryRun(own, { tool: name, args })
  app.compile(app.agents.get(own).graph)
  const held = adds(script(calls, { tools: [tool(open)], policies: [{ use: 'arguments', schema }] }))
  await ended(held)
  await app.dryRun(held, { tool: name, args })
  await ended(adds(script([{ text: JSON.stringify(args) }, { text: 'Done.' }], { output: { schema } })))
  const asking = script([{ calls: [{ name, args: {} }] }, { text: 'Done.' }], {
    tools: [tool(schema)],
    policies: [{ use: 'approval' }],
  })
  await ended(adds(asking), async (id) => {
    const [pending] = app.runs.get(id).pending
    if (pending === undefined) throw new Error('nothing waits')
    await app.runs.decide(id, pending.callId, { decision: 'approve', args }).catch(() => undefined)
    await app.runs.decide(id, pending.callId, { decision: 'reject' }).catch(() => undefined)
  })
  process.stdout.write(`done ${label}\n`)
}

for (let round = 0; !isStopping; round++) {
  for (const [label, each] of Object.entries(cases)) {
    await attack(label, each).catch((error) => {
      // A server that is stopping refuses new runs.
      if (!isStopping) throw error
    })
    if (isStopping) break
  }
  process.stdout.write(`round ${round}\n`)
}
