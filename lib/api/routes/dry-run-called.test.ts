/** Dry runs of calls that set other agents to work: those agents are checked too, and so are calls of theirs. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mostAgents } from '#lib/server/agents/reach-agents'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { dryRun } from '#lib/wire/dry-run'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const draw = (config: JsonObject) => house.app.agents.create({ config }).id
const uses = (...tools: string[]): JsonObject => ({ use: 'builtin', tools })
const agent = (name: string, more: JsonObject = {}): JsonObject => ({
  use: 'agent',
  agent: name,
  version: 'draft',
  ...more,
})
const put = (id: string, body: unknown) =>
  ask('/api/agents/{id}/dry-run', { method: 'POST', body, params: { id } })
async function told(id: string, body: object) {
  const response = await put(id, body)
  expect(response.status).toBe(200)
  return dryRun.parse(await response.json())
}
const task = { task: 'Do it.' }
let named = 0
const nextName = () => `lead-${++named}`

/** What was found, by agent: the code and the place of each finding. */
async function found(id: string, body: object) {
  const { called = [] } = await told(id, body)
  return called.map(({ way, findings }) => [way, findings.map(({ code, path }) => [code, path])])
}

test('S1-24 a dry run checks the agents that a call would set to work, at any depth, each once', async () => {
  const secret = { headers: { 'X-Key': { secret: 'NO_SUCH_SECRET' } } }
  const service = { use: 'http', name: 'weather', url: 'https://api.example.com/weather', ...secret }
  draw({ name: 'deepest', tools: [{ use: 'mcp', server: 'nowhere' }, uses('web.search')] })
  draw({
    name: 'deeper',
    model: { provider: 'openai', name: 'gpt-5.4-mini' },
    tools: [agent('deepest'), { use: 'knowledge', collections: ['handbook'] }],
  })
  draw({ name: 'helper', tools: [agent('deeper'), agent('gone'), service] })
  const id = draw({ name: 'lead', tools: [agent('helper'), agent('deeper')] })
  expect(await found(id, { tool: 'helper', args: task })).toEqual([
    [['helper'], [['secret_missing', 'tools/2/headers/X-Key']]],
    [
      ['helper', 'deeper'],
      [
        ['key_missing', 'model/provider'],
        ['collection_missing', 'tools/1/collections/0'],
      ],
    ],
    [['helper', 'gone'], [['agent_not_found', undefined]]],
    [
      ['helper', 'deeper', 'deepest'],
      [
        ['mcp_server_missing', 'tools/0/server'],
        ['tool_unavailable', 'tools/1/tools'],
      ],
    ],
  ])
  expect(house.app.runs.list({}).items).toEqual([])
})

test('S1-24 a dry run names what the rules of a caller hold back, and the request leaves it out', async () => {
  draw({ name: 'deeper', tools: [uses('files.create', 'math.calculate')] })
  draw({ name: 'helper', tools: [agent('deeper'), uses('files.create')] })
  const id = draw({
    name: 'lead',
    tools: [agent('helper')],
    policies: [{ use: 'skills', deny: ['files.create'] }],
  })
  const { called = [], inside } = await told(id, { tool: 'helper', args: task })
  expect(
    called.map(({ tools, findings }) => [tools, findings.map(({ code, path }) => [code, path])]),
  ).toEqual([
    [['deeper'], [['withheld_by_caller', 'caller/policies/0']]],
    [['math.calculate'], [['withheld_by_caller', 'caller/policies/0']]],
  ])
  expect(JSON.stringify(inside?.request)).not.toContain('files_create')
})

test('S1-24 a call of an agent that is called is checked by its tools and rules, and those of its callers', async () => {
  draw({
    name: 'deeper',
    tools: [uses('files.create', 'math.calculate', 'files.view')],
    policies: [{ use: 'approval', appliesTo: ['files.view'] }],
  })
  draw({ name: 'helper', tools: [agent('deeper', { rename: { deeper: 'digger' } })] })
  const id = draw({
    name: 'lead',
    tools: [agent('helper')],
    policies: [{ use: 'skills', deny: ['files.create'] }],
  })
  const through = ['helper', 'digger']
  const check = (tool: string, args: JsonObject) => told(id, { tool, args, through })
  expect((await check('math_calculate', { expression: '1+1' })).outcome).toMatchObject({ type: 'runs' })
  expect((await check('math.calculate', {})).outcome).toMatchObject({ code: 'args_schema' })
  expect((await check('helper', task)).outcome).toMatchObject({ code: 'unknown_tool' })
  const view = await check('files.view', { path: 'a' })
  expect([view.outcome.type, view.asked.at(-1)?.node]).toEqual(['asks', 'policies/0'])
  const create = await check('files.create', { path: 'a', content: 'b' })
  expect(create.outcome).toMatchObject({ type: 'refused', status: 'denied' })
  expect(create.asked).toContainEqual(
    expect.objectContaining({ stage: 'offered', verdict: 'deny', node: 'caller/policies/0' }),
  )
})

test('S1-24 a way that leads to no agent is refused at its place', async () => {
  draw({ name: 'helper', tools: [agent('gone'), uses('math.calculate')] })
  const id = draw({ name: 'lead', tools: [agent('helper')] })
  const refused = async (...through: string[]) => {
    const response = await put(id, { tool: 'math.calculate', args: { expression: '1' }, through })
    const { error } = await response.json()
    return [response.status, error.path, error.message]
  }
  expect(await refused('nobody')).toEqual([404, 'through/0', 'lead calls no agent by a tool “nobody”.'])
  expect(await refused('helper', 'math.calculate')).toEqual([
    404,
    'through/1',
    'helper calls no agent by a tool “math.calculate”.',
  ])
  expect(await refused('helper', 'gone')).toEqual([
    422,
    'through/1',
    'There is no agent “gone” on this server. Create or import it, or choose another.',
  ])
  expect((await put(id, { tool: 'x', through: ['a', 'b', 'c', 'd'] })).status).toBe(400)
})

test('S1-24 agents in a circle, and chains that are too deep, are told and not followed', async () => {
  draw({ name: 'ring-b', tools: [agent('ring-c')] })
  draw({ name: 'ring-c', tools: [agent('ring-a')] })
  const ring = draw({ name: 'ring-a', tools: [agent('ring-b'), uses('math.calculate')] })
  const { called = [] } = await told(ring, { tool: 'ring-b', args: task })
  expect(called.map(({ way }) => way)).toEqual([['ring-b'], ['ring-b', 'ring-c']])
  expect(called[0]?.findings).toEqual([
    {
      severity: 'error',
      code: 'agent_cycle',
      message:
        'ring-a calls ring-b calls ring-c calls ring-a, which has no end. Take one of these calls out.',
    },
  ])
  draw({ name: 'd5', tools: [] })
  for (const depth of [4, 3, 2, 1]) draw({ name: `d${depth}`, tools: [agent(`d${depth + 1}`)] })
  const deep = draw({ name: 'd0', tools: [agent('d1')] })
  const chain = await told(deep, { tool: 'd1', args: task })
  expect(chain.called?.map(({ agent: name }) => name)).toEqual(['d1', 'd2', 'd3'])
  expect(chain.called?.[0]?.findings.map(({ code }) => code)).toEqual(['agent_depth'])
})

test('S1-24 depth is counted from the agent itself, not from the one that is looked at', async () => {
  draw({ name: 'd4', tools: [uses('math.calculate')] })
  for (const depth of [3, 2, 1]) draw({ name: `d${depth}`, tools: [agent(`d${depth + 1}`)] })
  const look = async (id: string, ...through: string[]) => {
    const { called = [] } = await told(id, { tool: `d${through.length + 1}`, args: task, through })
    return called.map(({ agent: name, tools, findings }) => [name, tools, findings.map(({ code }) => code)])
  }
  const tooDeep = draw({ name: 'd0', tools: [agent('d1')] })
  expect(await look(tooDeep, 'd1', 'd2')).toEqual([['d3', ['d4'], ['agent_depth']]])
  // Nothing of an agent that is out of reach can be looked at, so none of its tools are listed.
  expect(await look(tooDeep, 'd1', 'd2', 'd3')).toEqual([['d4', [], ['agent_depth']]])
  const { called = [] } = await told(tooDeep, { tool: 'd2', args: task, through: ['d1'] })
  expect(called[0]?.findings[0]?.message).toBe('Through d2, calls go 4 agents deep. At most 3 are possible.')

  draw({ name: 'e3', tools: [uses('math.calculate')] })
  for (const depth of [2, 1]) draw({ name: `e${depth}`, tools: [agent(`e${depth + 1}`)] })
  const atLimit = draw({ name: 'e0', tools: [agent('e1')] })
  const last = await told(atLimit, { tool: 'e3', args: task, through: ['e1', 'e2'] })
  expect(last.called).toMatchObject([
    { through: ['e1', 'e2', 'e3'], tools: ['math.calculate'], findings: [] },
  ])
  const [deepest] = last.called ?? []
  const inside = { tool: 'math.calculate', args: { expression: '1+1' }, through: deepest?.through }
  expect((await told(atLimit, inside)).outcome).toMatchObject({ type: 'runs' })
})

test('S1-24 a circle that closes over the agent itself is told when a called agent is looked at', async () => {
  draw({ name: 'ring-b', tools: [agent('ring-c')] })
  draw({ name: 'ring-c', tools: [agent('ring-a')] })
  const ring = draw({ name: 'ring-a', tools: [agent('ring-b')] })
  const circle = {
    severity: 'error',
    code: 'agent_cycle',
    message: 'ring-a calls ring-b calls ring-c calls ring-a, which has no end. Take one of these calls out.',
  }
  const look = async (tool: string, ...through: string[]) => {
    const { called = [] } = await told(ring, { tool, args: task, through })
    return called.map(({ way, findings }) => [way, findings])
  }
  expect(await look('ring-c', 'ring-b')).toEqual([[['ring-c'], [circle]]])
  expect(await look('ring-a', 'ring-b', 'ring-c')).toEqual([[['ring-a'], [circle]]])
})

test('S1-24 what a run has read from outside counts for the calls of the agents that it calls', async () => {
  const turns: JsonObject[] = [
    { calls: [{ name: 'math.calculate', args: { expression: '1+1' } }] },
    { text: 'Done.' },
  ]
  draw({ name: 'helper', tools: [uses('files.create')] })
  const id = draw({
    name: 'lead',
    model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
    tools: [agent('helper'), uses('math.calculate')],
    policies: [{ use: 'taint', sources: ['math.*'], approve: ['idempotent'] }],
  })
  const { id: runId } = house.app.runs.create({ agentId: id, input: 'Hello' })
  for await (const _ of house.app.runs.watch(runId, 0, new AbortController().signal));
  const call = { tool: 'files.create', args: { path: 'a', content: 'b' }, through: ['helper'] }
  const verdict = async (more: object) =>
    (await told(id, { ...call, ...more })).asked.find(({ stage }) => stage === 'taint')
  expect(await verdict({})).toMatchObject({ node: 'caller/policies/0', verdict: 'allow' })
  expect(await verdict({ runId })).toMatchObject({ node: 'caller/policies/0', verdict: 'confirm' })
})

test('S1-24 the first request of a called agent has the arguments that its entry sets', async () => {
  draw({ name: 'helper' })
  const entry = (preset: JsonObject) =>
    draw({ name: nextName(), tools: [agent('helper', { preset: { helper: preset } })] })
  const asked = async (preset: JsonObject, args: JsonObject) =>
    JSON.stringify((await told(entry(preset), { tool: 'helper', args })).inside)
  expect(await asked({ task: 'The task that is set' }, {})).toContain('The task that is set')
  expect(await asked({ files: ['a.txt'] }, task)).toContain('a.txt')
})

test('S1-24 a call that sets more agents to work than a run may reach says so', async () => {
  const names = Array.from({ length: mostAgents + 1 }, (_, index) => `w${index}`)
  for (const name of names) draw({ name })
  const id = draw({ name: 'lead', tools: names.map((name) => agent(name)) })
  const [first] = await found(id, { tool: 'w0', args: task })
  expect(first).toEqual([['w0'], [['agent_count', undefined]]])
})
