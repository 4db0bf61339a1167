/**
 * Configs as large as a request body may be: one over a limit is refused with its path,
 * one within the limits is quick.
 */

import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openStores } from '#db/open'
import { isDeep } from '#e2e/test-depth'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, type House, openHouse } from '../house.fixture'

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
  [
    'patterns in all',
    {
      policies: spread(11, (n) => ({ use: 'timeout', appliesTo: spread(500, (m) => `fn_${n}_${m}.*`) })),
    },
    'policies/10/appliesTo',
    '10000',
  ],
  [
    'stars',
    {
      tools: [{ use: 'builtin', tools: spread(100, (n) => `${'a*'.repeat(100)}${n}`) }],
      policies: [{ use: 'skills', deny: ['*'] }],
    },
    'tools/0/tools',
    '10000',
  ],
  [
    'presets in all',
    {
      tools: spread(11, () => ({
        use: 'builtin',
        tools: ['*'],
        preset: Object.fromEntries(spread(500, (n) => [`t${n}`, {}])),
      })),
    },
    'tools/10/preset',
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

/**
 * The heaviest configs within the limits, scaled by `share`; each shape is the worst case of another step.
 */
const heaviest: Record<string, (share: number) => JsonObject> = {
  'patterns of policies': (share) =>
    agent({
      tools: tools(200),
      policies: spread(200 * share, (n) => ({
        use: 'timeout',
        seconds: 60,
        appliesTo: spread(24, (m) => `*z${n}.${m}`).concat('fn_*'),
      })),
    }),
  'patterns that deny': (share) =>
    agent({
      tools: tools(200),
      policies: spread(200 * share, (n) => ({ use: 'skills', deny: spread(25, (m) => `*z${n}.${m}`) })),
    }),
  'patterns of many stars': (share) =>
    agent({
      tools: tools(200),
      policies: spread(156 * share, (n) => ({ use: 'skills', deny: [`${'f*'.repeat(62)}${n}`] })),
    }),
  presets: (share) =>
    agent({
      tools: spread(200 * share, (n) => ({
        use: 'code',
        name: `fn_${n}.run`,
        source: 'return 1',
        preset: Object.fromEntries(spread(25, (m) => [`p${m}`, {}])),
      })),
    }),
}

/** Does everything that happens with a config between its import and the end of a run of it. */
async function use(config: JsonObject): Promise<number> {
  const before = process.cpuUsage()
  const { id: agentId, revision, graph } = house.app.agents.importFile(config, { rename: true })
  house.app.agents.save(agentId, { revision, graph })
  house.app.agents.list()
  house.app.agents.exported(agentId)
  await house.app.authority(graph)
  await house.app.dryRun(agentId, { tool: 'fn_1.run', args: {} })
  const { id } = house.app.runs.create({ agentId, input: 'x' })
  for await (const _ of house.app.runs.watch(id, 0, new AbortController().signal)) void _
  expect(house.app.runs.get(id).status).toBe('completed')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

it.runIf(isDeep).each(Object.keys(heaviest))(
  'what %s cost grows with their number and no faster @deep',
  async (shape) => {
    const of = (share: number) => {
      const config = heaviest[shape]?.(share)
      if (config === undefined) throw new Error(shape)
      return use(config)
    }
    await of(1 / 8)
    const [small, large] = [await of(1 / 8), await of(1)]
    // The config is eight times as large; quadratic work would take sixty-four times as long.
    expect(large).toBeLessThan(24 * Math.max(20, small))
  },
  60_000,
)

it('of very many findings the first are told, errors before all others', () => {
  const { id } = house.app.agents.importFile(heaviest['patterns that deny']?.(1) ?? {}, { rename: true })
  const { graph, revision, diagnostics } = house.app.agents.get(id)
  expect(diagnostics).toHaveLength(2_001)
  expect(diagnostics.at(-1)).toMatchObject({ code: 'findings_cut', message: expect.stringMatching(/^3000 /) })
  const nodes = graph.nodes.map((node) =>
    node.kind === 'agent' ? { ...node, config: { name: 'No name' } } : node,
  )
  const saved = house.app.agents.save(id, { revision, graph: { ...graph, nodes } })
  expect([saved.config, saved.diagnostics[0]?.severity]).toEqual([null, 'error'])
})

/** Stores a compiled config that exceeds a present limit, as an earlier version may have left it. */
function storedBefore(): { id: string; config: JsonObject } {
  const { id } = house.app.agents.importFile(agent({ policies: [{ use: 'timeout' }], tools: tools(2) }), {
    rename: true,
  })
  const globs = spread(400, (n) => `a*${n}`)
  const policies = spread(30, () => ({ use: 'timeout', appliesTo: globs }))
  const { graph } = house.app.agents.get(id)
  const heavy = {
    ...graph,
    nodes: [
      ...graph.nodes.filter(({ kind }) => kind !== 'policy:timeout'),
      ...policies.map(({ appliesTo }, n) => ({ id: `p${n}`, kind: 'policy:timeout', config: { appliesTo } })),
    ],
    edges: [
      ...graph.edges.filter(({ from }) => !from.node.startsWith('policies/')),
      ...policies.map((_, n) => ({
        from: { node: `p${n}`, port: 'policy' },
        to: { node: 'agent', port: 'policies' },
      })),
    ],
  }
  const config = agent({ policies, tools: tools(2) })
  const stores = openStores(path.join(house.folder, 'loopwright.db'))
  const row = stores.agents.get(id)
  if (row === undefined) throw new Error('no row')
  stores.agents.update({
    ...row,
    graph: heavy,
    config: `${JSON.stringify(config, null, 2)}\n`,
    revision: row.revision + 1,
  })
  stores.close()
  return { id, config }
}

it('an agent stored before there was a bound opens with the diagnostic, is listed and is exported as it is', () => {
  const { id, config } = storedBefore()
  const seen = house.app.agents.get(id)
  expect(seen.graph.nodes).toHaveLength(34)
  const [first] = seen.diagnostics
  expect(first).toMatchObject({
    severity: 'error',
    code: 'config_invalid',
    node: 'p12',
    path: 'policies/12/appliesTo',
  })
  expect(first?.message).toContain('at most 10000')
  const [listed] = house.app.agents.list().items
  expect(listed).toMatchObject({
    id,
    runnable: false,
    problem: expect.stringContaining('policies/12/appliesTo'),
  })
  expect(JSON.parse(house.app.agents.exported(id).text)).toEqual(config)
})

it('a run stored before there was a bound still opens: its view, its events and its place among the runs', async () => {
  const { id: agentId, config } = storedBefore()
  const { id } = house.app.runs.create({ agentId, input: 'x' })
  for await (const _ of house.app.runs.watch(id, 0, new AbortController().signal)) void _
  const view = house.app.runs.get(id)
  expect(view).toMatchObject({ status: 'interrupted', config, error: { code: 'part_missing' } })
  expect(view.error?.message).toContain('at most 10000')
  expect(eventsIn(house.app.runs, id).at(-1)?.type).toBe('run.finished')
  expect(house.app.runs.list({}).items.map((run) => run.id)).toEqual([id])
})
