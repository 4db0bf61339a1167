/** Configs as large as a body may be: what is over a bound is refused by its path, what is within takes a moment. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { took } from '#lib/spec/took.fixture'
import { type House, openHouse } from './house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const spread = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, n) => make(n))
const tools = (count: number): JsonObject[] =>
  spread(count, (n) => ({ use: 'code', name: `fn_${n}.run`, source: 'return 1' }))
const agent = (more: JsonObject): JsonObject => ({
  name: 'giant',
  model: {
    provider: 'scripted',
    name: 'script',
    turns: [{ calls: [{ name: 'fn_1.run' }, { name: 'fn_2.run' }] }, { text: 'Done.' }],
    paceMs: 0,
  },
  ...more,
})

it.each<[string, JsonObject, string, string]>([
  [
    'globs of a policy',
    { policies: [{ use: 'timeout', appliesTo: spread(501, (n) => `a${n}*`) }] },
    'policies/0/appliesTo',
    '500',
  ],
  [
    'preset tools',
    {
      tools: [
        { use: 'builtin', tools: ['*'], preset: Object.fromEntries(spread(501, (n) => [`t${n}`, {}])) },
      ],
    },
    'tools/0/preset',
    '500',
  ],
  [
    'places',
    { canvas: { at: Object.fromEntries(spread(5_001, (n) => [`tools/${n}`, [0, 0]])) } },
    'canvas/at',
    '5000',
  ],
  ['notes', { canvas: { notes: spread(201, () => ({ text: '', at: [0, 0] })) } }, 'canvas/notes', '200'],
])('too many %s are refused, with the place and the bound', (_, more, path, bound) => {
  expect(() => house.app.agents.importFile(agent(more), { rename: true })).toThrow(
    expect.objectContaining({ message: expect.stringMatching(new RegExp(`${path}.*${bound}`)) }),
  )
})

it('a drawing over a bound opens, says so, and is compiled to nothing', () => {
  const { id } = house.app.agents.importFile(agent({ policies: [{ use: 'timeout' }] }), { rename: true })
  const { graph, revision } = house.app.agents.get(id)
  const nodes = graph.nodes.map((node) =>
    node.kind === 'policy:timeout'
      ? { ...node, config: { appliesTo: spread(150_000, (n) => `${n}*`) } }
      : node,
  )
  house.app.agents.save(id, { revision, graph: { ...graph, nodes } })
  const seen = house.app.agents.get(id)
  expect(seen.graph.nodes).toHaveLength(nodes.length)
  expect(seen.diagnostics).toContainEqual(
    expect.objectContaining({
      code: 'config_invalid',
      message: expect.stringContaining('at most 500 items'),
    }),
  )
})

it('as many policies with as many globs as may be, over as many tools, hold nothing up', async () => {
  const policies = spread(200, (n) => ({
    use: 'timeout',
    seconds: 60,
    appliesTo: spread(499, (m) => `*z${n}.${m}*`).concat('*'),
  }))
  const config = agent({ tools: tools(200), policies })
  let agentId = ''
  const cost = took(() => {
    agentId = house.app.agents.importFile(config, { rename: true }).id
  })
  expect(cost).toBeLessThan(5_000)
  const before = performance.now()
  const { id } = house.app.runs.create({ agentId, input: 'x' })
  for await (const _ of house.app.runs.watch(id, 0, new AbortController().signal)) void _
  expect(house.app.runs.get(id).status).toBe('completed')
  expect(performance.now() - before).toBeLessThan(8_000)
}, 60_000)
