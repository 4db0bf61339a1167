/** Runs of agents that use MCP servers: real programs, which are down, die in mid-call or change their tools. */
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { request } from '#lib/agent/request/rerequest'
import { run } from '#lib/agent/run'
import { start } from '#lib/agent/state/start'
import {
  callOf,
  closeAll,
  connect,
  misbehaving,
  never,
  npmServer,
  settingsOf,
} from '#lib/mcp/servers.fixture'
import type { EventOf, EventType, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { closedPorts } from '#lib/spec/ports.fixture'
import { text, tool } from '#lib/spec/tool'
import { assemble } from '../agents/assemble'
import { systemClock } from '../clock'
import { offline } from '../environment/surroundings.fixture'
import { productParts } from '../parts'
import { depsOf } from './run-deps'
import { scriptOf } from './run-house.fixture'

afterEach(closeAll)

/** A built-in tool whose name a server's tool would have. */
const taken = tool({
  name: 'first.echo',
  label: 'Echo',
  description: 'A built-in tool.',
  icon: 'box',
  risk: 'read',
  input: z.object({}),
  run: async () => text('the built-in one'),
})
const parts = { ...productParts, tools: [...productParts.tools, taken] }

async function play(
  turns: JsonObject[],
  tools: JsonObject[],
  settings: ReturnType<typeof settingsOf>,
  more: JsonObject = {},
) {
  const connections = connect({ servers: settings })
  const assembled = await assemble(scriptOf(turns, { tools, ...more }), { ...offline, parts })
  if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
  const agent = { id: null, name: 'a', version: 'draft' as const, configHash: '' }
  const state = start({ agent, input: 'Go.', threadId: null, historyThrough: null, history: [] })
  const ports = { ...closedPorts, mcp: connections }
  const deps = depsOf({ ports, clock: systemClock }, assembled.value, async () => undefined)
  const events: RunEvent[] = []
  for await (const event of run(state, deps, never)) events.push(structuredClone(event))
  const of = <T extends EventType>(type: T) => events.filter((each): each is EventOf<T> => each.type === type)
  /** What the model read in the first step. */
  const first = () => request(state, deps, 1)
  return { events, state, connections, of, first }
}

const call = (name: string, args: JsonObject = {}): JsonObject => ({ calls: [{ name, args }] })
const offeredIn = (tools: readonly { readonly name: string }[] | undefined) => tools?.map(({ name }) => name)

test('S0-26 S1-03 S1-04 the tools of servers that answer are offered at the first step; the one that is down is named', async () => {
  const settings = settingsOf({
    first: misbehaving(),
    middle: misbehaving('--exit-at-start'),
    last: misbehaving(),
  })
  const tools: JsonObject[] = [
    { use: 'builtin', tools: ['time.now'] },
    { use: 'mcp', server: 'first', enable: ['echo'] },
    { use: 'mcp', server: 'middle' },
    { use: 'mcp', server: 'last', enable: ['echo', 'slow'] },
  ]
  const { of, state } = await play([call('first.echo', { a: 1 }), { text: 'done' }], tools, settings)
  const [started] = of('run.started')
  expect(offeredIn(started?.tools.offered)).toEqual(['time.now', 'first.echo', 'last.echo', 'last.slow'])
  expect(started?.tools.withheld).toMatchObject([
    { name: 'middle.*', entry: 'tools/2', policy: 'mcp', reason: expect.stringContaining('exit code 3') },
  ])
  expect(of('call.finished')).toMatchObject([{ status: 'ok', result: { text: '{"a":1}' } }])
  expect(state).toMatchObject({ status: 'completed', answer: 'done' })
})

test('S1-02 a built-in tool is offered in place of a server’s tool with the same name, and that is said', async () => {
  const tools: JsonObject[] = [
    { use: 'mcp', server: 'first', enable: ['echo', 'slow'] },
    { use: 'builtin', tools: ['first.echo'] },
  ]
  const { of } = await play(
    [call('first.echo'), { text: 'done' }],
    tools,
    settingsOf({ first: misbehaving() }),
  )
  expect(of('run.started')[0]?.tools.withheld).toMatchObject([
    { name: 'mcp:first.echo', reason: expect.stringContaining('another tool of the agent has the name') },
  ])
  expect(of('call.finished')).toMatchObject([{ result: { text: 'the built-in one' } }])
})

test('E-51 a server that dies in mid-call is one observation, and its tools are there at the next step', async () => {
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['die', 'echo'] }]
  const { of, state } = await play(
    [call('first.die'), call('first.echo', { again: true }), { text: 'done' }],
    tools,
    settingsOf({ first: misbehaving() }),
  )
  expect(of('call.finished')).toMatchObject([
    { status: 'error', code: 'mcp_disconnected' },
    { status: 'ok', result: { text: '{"again":true}' } },
  ])
  expect(of('tools.changed')).toEqual([])
  expect(state.status).toBe('completed')
})

test('E-51 a server that does not come back is withheld from the next step on, and a call of it says why', async () => {
  const settings = settingsOf({ first: misbehaving() })
  const { access } = settings
  let isDown = false
  settings.access = async (name) => (isDown ? { ok: false, message: 'It was taken away.' } : access(name))
  const down = settings.report
  settings.report = (name, report) => {
    if (report.state === 'ready') isDown = true
    down(name, report)
  }
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['die'] }]
  const { of, state } = await play([call('first.die'), call('first.die'), { text: 'done' }], tools, settings)
  expect(of('tools.changed')).toMatchObject([
    { removed: [{ name: 'first.die' }], withheld: [{ name: 'first.*', policy: 'mcp' }] },
  ])
  expect(of('call.finished')[1]).toMatchObject({ code: 'unknown_tool' })
  expect(of('call.finished')[1]?.result.text).toContain('It was taken away.')
  expect(state.tools?.withheld).toMatchObject([{ name: 'first.*' }])
})

test('E-55 a tool that comes during a run is offered at the next step, after the others', async () => {
  const settings = settingsOf({ first: misbehaving() })
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['more', 'slow', 'late'] }]
  const turns = [call('first.more'), call('first.slow', { ms: 500 }), call('first.late'), { text: 'done' }]
  const { of, state } = await play(turns, tools, settings)
  expect(of('tools.changed')).toMatchObject([
    { added: [{ name: 'first.late' }], reason: 'the MCP server “first” lists other tools' },
  ])
  expect(offeredIn(state.tools?.offered)).toEqual(['first.more', 'first.slow', 'first.late'])
})

test('an agent with a server that is not in the settings runs without it', async () => {
  const { of, state } = await play([{ text: 'done' }], [{ use: 'mcp', server: 'gone' }], settingsOf({}))
  expect(of('run.started')[0]?.tools.withheld).toMatchObject([
    { name: 'gone.*', reason: 'there is no MCP server “gone” in the settings' },
  ])
  expect(state.status).toBe('completed')
})

test('two runs share one connection', async () => {
  const settings = settingsOf({ first: misbehaving() })
  const connections = connect({ servers: settings })
  await Promise.all([connections.connect(['first'], never), connections.connect(['first'], never)])
  const pids = await Promise.all(
    [1, 2].map(() => connections.call({ ...callOf('env'), server: 'first' }, never)),
  )
  expect(pids[0]).toEqual(pids[1])
  expect(settings.reports.filter(({ report }) => report.state === 'ready')).toHaveLength(1)
})

const everything = npmServer('server-everything')
const handbook = 'demo://resource/static/document/instructions.md'

test('S3-18 what a server says of itself and a resource of it are in the instructions, marked as its texts', async () => {
  const tools: JsonObject[] = [
    { use: 'mcp', server: 'first', enable: ['echo'], advice: true, resources: [handbook, 'demo://nothing'] },
  ]
  const { of, first, state } = await play([{ text: 'done' }], tools, settingsOf({ first: everything }), {
    instructions: 'Be brief.',
  })
  expect(of('run.started')[0]?.serverTexts).toMatchObject([
    {
      node: 'tools/0',
      server: 'first',
      name: 'instructions',
      text: expect.stringContaining('Server Instructions'),
    },
    { server: 'first', name: handbook, text: expect.stringContaining('Server Instructions') },
    { server: 'first', name: 'demo://nothing', problem: expect.stringContaining('demo://nothing') },
  ])
  const { body = '', context } = first() ?? {}
  expect(body).toMatch(
    /Be brief\..*come from MCP servers.*<server-text server=\\"first\\" name=\\"instructions\\">/,
  )
  expect(body).not.toContain('name=\\"demo://nothing')
  expect(context?.system).toBe(3)
  expect(context?.servers).toBeGreaterThan(500)
  expect(state.status).toBe('completed')
})

test('S3-18 a server that is not asked for a text has none in the request', async () => {
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['echo'] }]
  const { of, first } = await play([{ text: 'done' }], tools, settingsOf({ first: everything }))
  expect(of('run.started')[0]).not.toHaveProperty('serverTexts')
  expect(first()?.body).not.toContain('server-text')
  expect(first()?.context).not.toHaveProperty('servers')
})

test('S3-18 a server that a policy does not allow has no text in the instructions', async () => {
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['echo'], advice: true }]
  const policies = [{ use: 'mcp', servers: ['second'] }]
  const { of } = await play([{ text: 'done' }], tools, settingsOf({ first: everything }), { policies })
  expect(of('run.started')[0]).not.toHaveProperty('serverTexts')
})

test('S3-18 the text of a server is content from outside: a call with an effect waits for a person after it', async () => {
  const tools: JsonObject[] = [{ use: 'mcp', server: 'first', enable: ['echo'], advice: true }]
  const policies = [{ use: 'taint', sources: ['mcp'] }]
  const { of, state } = await play(
    [call('first.echo', { message: 'x' }), { text: 'done' }],
    tools,
    settingsOf({ first: everything }),
    { policies },
  )
  expect(state.status).toBe('waiting')
  expect(of('policy.ruled')).toMatchObject([
    { reason: expect.stringContaining('first.instructions brought in content from outside') },
  ])
})
