/** Arbitrary graphs for the laws of the round trip: as a person might draw them, and nonsensical ones. */
import fc from 'fast-check'
import type { GraphDocument, GraphEdge, GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import {
  type Arb,
  agentArb,
  chosenGlobs,
  frameArb,
  groupsArb,
  junkObject,
  modelArb,
  noteArb,
  outputArb,
  policyArb,
  protocolArb,
  scopeArb,
  toolConfigs,
  whole,
} from './configs.fixture'
import { kindOf, portsBetween } from './kinds'

const wiring = fc.record({
  mode: fc.constantFrom('agent', 'entries', 'typed', 'none', 'agent'),
  picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }),
  off: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  at: fc.option(fc.record({ x: whole, y: whole }), { nil: undefined }),
  title: fc.option(fc.string({ minLength: 1, maxLength: 20 }), { nil: undefined, freq: 1 }),
  key: fc.nat(),
  scope: scopeArb,
})

interface Drawn {
  readonly kind: string
  readonly config: JsonObject
}

/**
 * Graphs as a person might draw them: mixed kinds, some nodes off or unwired, all forms of scope, any ids.
 */
export const graphArb: Arb<GraphDocument> = fc
  .record({
    agent: agentArb,
    models: fc.array(modelArb, { maxLength: 2 }),
    protocol: fc.option(protocolArb, { nil: undefined }),
    output: fc.option(outputArb, { nil: undefined }),
    tools: toolConfigs,
    policies: fc.array(policyArb, { maxLength: 6 }),
    grouping: groupsArb,
    notes: fc.array(noteArb, { maxLength: 2 }),
    frames: fc.array(frameArb, { maxLength: 2 }),
    wirings: fc.array(wiring, { minLength: 24, maxLength: 24 }),
    cross: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 3 }),
  })
  .map(({ agent, models, protocol, output, tools, policies, notes, frames, wirings, cross, grouping }) => {
    const drawn: Drawn[] = [
      { kind: 'agent', config: agent as JsonObject }, // cast: JSON throughout
      ...models.map((config) => ({ kind: 'model', config })),
      ...(protocol === undefined ? [] : [{ kind: 'protocol', config: protocol }]),
      ...(output === undefined ? [] : [{ kind: 'output', config: output }]),
      ...tools,
      ...policies,
      ...grouping.skills.map((config) => ({ kind: 'skill', config })),
      ...grouping.groups.map((config) => ({ kind: 'group', config: { ...config } as JsonObject })), // cast: JSON throughout
    ]
    const how = (index: number) => wirings[index % wirings.length] ?? wirings[0]
    const nodes = drawn.map((each, index): GraphNode => {
      const { at, title, mode, scope } = how(index) ?? {}
      const globs =
        mode === 'typed' && scope && kindOf(catalog, each.kind)?.scoped
          ? chosenGlobs(scope, tools)
          : undefined
      const config = globs === undefined ? each.config : { ...each.config, appliesTo: globs }
      return {
        id: `n${index}`,
        kind: each.kind,
        config,
        ...(at === undefined ? {} : { at }),
        ...(title === undefined ? {} : { title }),
      }
    })
    const entries = nodes.filter((node) => node.kind.startsWith('tool:'))
    const groups = nodes.filter((node) => node.kind === 'group')
    const groupFor = (node: GraphNode) =>
      entries.includes(node)
        ? groups[grouping.members[entries.indexOf(node) % 8] ?? groups.length]
        : undefined
    const edges = nodes.flatMap((node, index): GraphEdge[] => {
      const { mode, picks } = how(index) ?? { mode: 'agent', picks: [] }
      if (node.kind === 'agent' || mode === 'none' || (node.kind === 'model' && index > 1)) return []
      const scoped = kindOf(catalog, node.kind)?.scoped === true
      const targets =
        scoped && mode === 'entries' && entries.length > 0
          ? picks.map((pick) => entries[pick % entries.length])
          : [groupFor(node) ?? nodes[0]]
      return targets.flatMap((target) => [
        ...wire(node, target),
        ...(target?.kind === 'agent' ? wire(target, node) : []),
      ])
    })
    const crossed = cross.flatMap(([from, to]) =>
      wire(nodes[from % nodes.length], entries[to % Math.max(1, entries.length)]),
    )
    const parked = nodes
      .filter((node, index) => node.kind !== 'agent' && how(index)?.off)
      .map((node) => node.id)
    const off = new Set(parked)
    const sorted = nodes
      .map((node, index) => ({ node, key: how(index)?.key ?? 0 }))
      .sort((a, b) => a.key - b.key)
    return {
      version: 1,
      nodes: sorted.map(({ node }) => node),
      edges: [...edges, ...crossed.filter((edge) => off.has(edge.from.node) || off.has(edge.to.node))],
      notes: notes.map((note, index) => ({ id: `note${index}`, ...note })),
      parked,
      look: { frames: frames.map((frame, index) => ({ id: `frame${index}`, ...frame })) },
    }
  })

function wire(from: GraphNode | undefined, to: GraphNode | undefined): GraphEdge[] {
  const ports = from && to && from !== to ? portsBetween(catalog, from.kind, to.kind) : undefined
  if (from === undefined || to === undefined || ports === undefined) return []
  return [{ from: { node: from.id, port: ports.from }, to: { node: to.id, port: ports.to } }]
}

/** Any graph that fits the document's schema, meaningful or not. */
export const wildGraphArb: Arb<GraphDocument> = fc
  .record({
    kinds: fc.array(
      fc.constantFrom(
        ...catalog.kinds.map((each) => each.kind),
        'agent',
        'tool:later',
        'policy:later',
        'what',
      ),
      {
        maxLength: 8,
      },
    ),
    configs: fc.array(
      fc.oneof(
        junkObject,
        fc.constantFrom<JsonObject>(
          { name: 'a' },
          { tools: ['sql.*'] },
          { appliesTo: [] },
          { appliesTo: ['sql.*', 3] },
          { provider: 'nope' },
          { server: 's', enable: [null] },
          { preset: { 'sql.execute': 3 } },
          { name: 7, use: 'builtin' },
        ),
      ),
      { minLength: 8, maxLength: 8 },
    ),
    ids: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', '__proto__'), {
      minLength: 8,
      maxLength: 8,
    }),
    ends: fc.array(
      fc.tuple(
        fc.nat(9),
        fc.nat(9),
        fc.constantFrom('tool', 'policy', 'model', 'output', 'x'),
        fc.constantFrom('tools', 'policies', 'model', 'output', 'y'),
      ),
      { maxLength: 12 },
    ),
    off: fc.array(fc.constantFrom('a', 'b', 'c', 'nothing'), { maxLength: 3 }),
    notes: fc.array(noteArb, { maxLength: 1 }),
  })
  .map(({ kinds, configs, ids, ends, off, notes }) => {
    const id = (index: number) => ids[index % ids.length] ?? 'a'
    return {
      version: 1 as const,
      nodes: kinds.map((kind, index) => ({ id: id(index), kind, config: configs[index] ?? {} })),
      edges: ends.map(([from, to, out, port]) => ({
        from: { node: id(from), port: out },
        to: { node: id(to), port },
      })),
      notes: notes.map((note) => ({ id: 'n', ...note })),
      parked: off,
      look: { frames: [] },
    }
  })
