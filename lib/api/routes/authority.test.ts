import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask, eventsIn, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { authorityView } from '#lib/wire/authority'

const authority = '/api/authority'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const graphOf = (config: JsonObject) => house.app.decompile({ name: 'guarded', ...config }).graph
const asked = async (graph: unknown) => {
  const response = await ask(authority, { method: 'POST', body: { graph } })
  expect(response.status).toBe(200)
  return authorityView.parse(await response.json()).authority
}

const guarded: JsonObject = {
  instructions: 'Be careful with the files of others.',
  tools: [
    { use: 'builtin', tools: ['math.calculate', 'sql.execute', 'web.fetch'] },
    { use: 'builtin', tools: ['files.view', 'files.create'] },
  ],
  policies: [
    { use: 'skills', deny: ['sql.*'] },
    { use: 'steps', max: 4, onLimit: 'error' },
    { use: 'timeout', appliesTo: ['math.calculate'], seconds: 2 },
    { use: 'execution', strategy: 'parallel', concurrency: 4 },
    { use: 'execution' },
    { use: 'budget', usd: 0.5, calls: 1 },
    { use: 'repeat', appliesTo: ['web.fetch'], limit: 1 },
  ],
}

describe('what an agent may do', () => {
  test('is what a run of it is offered and refused', async () => {
    const { id } = house.app.agents.create({
      config: { name: 'guarded', ...guarded, policies: [{ use: 'skills', deny: ['sql.*'] }] },
    })
    const { id: runId } = house.app.runs.create({ agentId: id, input: 'Hello' })
    for await (const _ of house.app.runs.watch(runId, 0, new AbortController().signal));
    const started = eventsIn(house.app.runs, runId).find((event) => event.type === 'run.started')
    if (started?.type !== 'run.started') throw new Error('the run never began')
    const told = await asked(house.app.agents.get(id).graph)
    expect(told?.offered.map(({ name, entry: node }) => ({ name, node }))).toEqual(started.tools.offered)
    expect(told?.withheld).toEqual(started.tools.withheld)
    expect(told?.withheld).toMatchObject([
      { name: 'sql.execute', entry: 'tools/0', policy: 'skills', node: 'policies/0' },
    ])
  })

  test('tells of each tool its risk, its names, its time and what its schema takes', async () => {
    const told = await asked(graphOf(guarded))
    const of = (name: string) => told?.offered.find((each) => each.name === name)
    expect(of('math.calculate')).toMatchObject({
      risk: 'read',
      effect: 'read',
      timeoutSeconds: 2,
      asks: false,
    })
    expect(of('files.view')).toMatchObject({ entry: 'tools/1', risk: 'read' })
    expect(of('files.create')).toMatchObject({ risk: 'write', wireName: expect.not.stringContaining('.') })
    expect(told?.offered.every(({ tokens }) => tokens > 10)).toBe(true)
    expect(told?.tokens).toEqual({
      system: 9,
      tools: told?.offered.reduce((sum, { tokens }) => sum + tokens, 0),
    })
  })

  test('tells the class that an entry gives its tools', async () => {
    const code = (name: string, more: JsonObject = {}) => ({ use: 'code', name, source: 'return 1', ...more })
    const tools: JsonObject[] = [
      { use: 'builtin', tools: ['time.now', 'javascript.run'], risk: 'read' },
      { use: 'builtin', tools: ['math.calculate'], risk: 'admin', effect: 'read' },
      code('writes'),
      code('reads', { effect: 'read' }),
    ]
    const told = await asked(graphOf({ tools }))
    expect(told?.offered.map(({ name, risk, effect }) => `${name} ${risk} ${effect}`)).toEqual([
      'time.now read read',
      'javascript.run read read',
      'math.calculate admin read',
      'writes write effect',
      'reads read read',
    ])
  })

  test('tells every limit that holds, in the policies’ own words, and what holds unsaid', async () => {
    expect((await asked(graphOf(guarded)))?.limits).toEqual([
      { node: 'policies/0', text: 'sql.* may never be used' },
      { node: 'policies/1', text: 'At most 4 steps, then an error' },
      { node: 'policies/2', text: 'Calls end after 2 seconds: math.calculate' },
      { node: 'policies/4', text: 'Calls run one after another' },
      { node: 'policies/5', text: 'At most $0.5, 1 call' },
      { node: 'policies/6', text: 'Stops after the same call fails once: web.fetch' },
      { node: 'agent', text: 'Above 80 % of the context window, takes out the oldest results' },
      { node: 'agent', text: 'Sends at most 50 messages or 100,000 tokens of the thread' },
      { node: 'agent', text: 'Stops after the same call fails 3 times' },
      { node: 'agent', text: 'Results are cut after 10,000 characters' },
    ])
    expect((await asked(graphOf({})))?.limits).toContainEqual({
      node: 'agent',
      text: 'At most 10 steps, then a closing answer',
    })
  })

  test('is not known while the drawing has errors; what is no drawing is refused', async () => {
    expect(await asked({ version: 1, nodes: [], edges: [] })).toBeNull()
    for (const body of [{}, { graph: 7 }, { graph: graphOf({}), more: 1 }])
      expect((await ask(authority, { method: 'POST', body })).status).toBe(400)
  })

  test('starts no run and stores nothing', async () => {
    await asked(graphOf(guarded))
    expect(house.app.runs.list({})).toEqual({ items: [], total: 0 })
    expect(house.app.agents.list().items).toEqual([])
  })
})
