/** The laws of the round trip between drawing and config, over generated configs and graphs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { graphDocument } from '#lib/spec/graph'
import { canonical, canonicalForHash } from './canonical'
import { agentConfig, catalog } from './catalog.fixture'
import { check } from './check'
import { compile } from './compile'
import { configArb } from './configs.fixture'
import { decompile } from './decompile'
import { readDrawing } from './drawing'
import { moveNodes } from './edit'
import { graphArb, wildGraphArb } from './graphs.fixture'
import { layout } from './layout'
import { normalize } from './normalize'

const runs = { numRuns: countFor({ quick: 100, deep: 500 }) }

function errorsOf(diagnostics: readonly { severity: string }[]) {
  return diagnostics.filter((each) => each.severity === 'error')
}

/** A graph without what the round trip may change: paths replace ids, and edges are sorted. */
function inPaths(graph: GraphDocument, pathOf: (id: string) => string) {
  const nodes = graph.nodes.map(({ id, ...rest }: GraphNode) => ({ path: pathOf(id), ...rest }))
  return {
    nodes: nodes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    edges: graph.edges
      .map(({ from, to }) => `${pathOf(from.node)}.${from.port} ${pathOf(to.node)}.${to.port}`)
      .toSorted(),
    notes: graph.notes.map(({ id, ...note }) => note),
    parked: graph.parked.map(pathOf).toSorted(),
  }
}

/** Generous, since there are many runs on a machine that may be busy. */
const patience = { timeout: 120_000 }

describe('law 8 @deep', patience, () => {
  test('compile after decompile gives the canonical bytes of every valid config', () => {
    fc.assert(
      fc.property(configArb, (config) => {
        expect(agentConfig.safeParse(config).success).toBe(true)
        const { graph, diagnostics } = decompile(config, catalog)
        expect(errorsOf(diagnostics)).toEqual([])
        expect(graphDocument.safeParse(graph).success).toBe(true)
        const compiled = compile(graph, catalog)
        expect(errorsOf(compiled.diagnostics)).toEqual([])
        expect(compiled.text).toBe(canonical(config, catalog.schema))
      }),
      runs,
    )
  })

  test('what decompile draws is in form already', () => {
    fc.assert(
      fc.property(configArb, (config) => {
        const { graph } = decompile(config, catalog)
        const normal = normalize(graph, catalog)
        expect(normal.graph).toBe(graph)
        expect(normal.notes).toEqual([])
      }),
      runs,
    )
  })

  test('decompile after compile gives the graph up to ids, for every graph in form that compiles', () => {
    let compiles = 0
    const law = (graph: GraphDocument) => {
      const normal = normalize(graph, catalog).graph
      const { config, origins } = compile(normal, catalog)
      if (config === null) return
      compiles += 1
      expect(agentConfig.safeParse(config).success).toBe(true)
      const paths = new Map(Object.entries(origins).map(([path, id]) => [id, path]))
      const back = decompile(config, catalog)
      expect(errorsOf(back.diagnostics)).toEqual([])
      expect(inPaths(back.graph, (id) => id)).toEqual(inPaths(normal, (id) => paths.get(id) ?? `? ${id}`))
    }
    fc.assert(fc.property(graphArb, law), runs)
    expect(compiles).toBeGreaterThan(runs.numRuns / 2)
    fc.assert(fc.property(wildGraphArb, law), runs)
  })
})

describe('the canonical form @deep', patience, () => {
  test('is its own canonical form', () => {
    fc.assert(
      fc.property(configArb, (config) => {
        const text = canonical(config, catalog.schema)
        expect(canonical(JSON.parse(text), catalog.schema)).toBe(text)
        expect(text.endsWith('}\n')).toBe(true)
      }),
      runs,
    )
  })

  test('a place on the canvas never changes the hashed bytes', () => {
    fc.assert(
      fc.property(graphArb, fc.integer({ min: -99, max: 99 }), (graph, by) => {
        const normal = normalize(graph, catalog).graph
        const moves = normal.nodes.map(({ id, at }) => ({ id, at: { x: (at?.x ?? 0) + by + 0.3, y: by } }))
        const moved = moveNodes(normal, moves).graph
        expect(moved.nodes.every(({ at }) => Number.isInteger(at?.x))).toBe(true)
        const [before, after] = [compile(normal, catalog).config, compile(moved, catalog).config]
        expect(before === null).toBe(after === null)
        if (before === null || after === null) return
        expect(canonicalForHash(after, catalog.schema)).toBe(canonicalForHash(before, catalog.schema))
      }),
      runs,
    )
  })
})

describe('any graph that fits the document @deep', patience, () => {
  test('is checked, compiled, normalized and laid out without a throw', () => {
    fc.assert(
      fc.property(fc.oneof(wildGraphArb, graphArb), (graph) => {
        expect(graphDocument.safeParse(graph).success).toBe(true)
        const { config, text, diagnostics } = compile(graph, catalog)
        expect(config === null).toBe(errorsOf(diagnostics).length > 0)
        expect(text === null).toBe(config === null)
        expect(check(graph, catalog)).toEqual(diagnostics)
        layout(graph, catalog)
      }),
      runs,
    )
  })

  test('is in form after one normalize, and a second changes nothing', () => {
    fc.assert(
      fc.property(fc.oneof(wildGraphArb, graphArb), (graph) => {
        const once = normalize(graph, catalog).graph
        expect(normalize(once, catalog).graph).toBe(once)
      }),
      runs,
    )
  })

  test('origins name every path of the config, each by a node that stands', () => {
    fc.assert(
      fc.property(graphArb, (graph) => {
        const { config, origins } = compile(graph, catalog)
        if (config === null) return
        const drawing = readDrawing(graph, catalog)
        const lists = ['tools', 'policies', 'groups', 'skills'].flatMap((key) => listPaths(config[key], key))
        const canvas = config.canvas as { parked?: unknown[] } | undefined // cast: the config's own shape
        const objects = ['model', 'protocol', 'output'].filter((key) => config[key] !== undefined)
        const paths = ['agent', ...objects, ...lists, ...listPaths(canvas?.parked, 'parked')]
        expect(Object.keys(origins).toSorted()).toEqual(paths.toSorted())
        expect(Object.values(origins).every((id) => drawing.byId.has(id))).toBe(true)
        const order = graph.nodes.map((node) => node.id)
        for (const key of ['tools', 'policies', 'groups', 'skills', 'parked']) {
          const places = paths
            .filter((path) => path.startsWith(`${key}/`))
            .map((path) => order.indexOf(origins[path] ?? ''))
          expect(places).toEqual(places.toSorted((a, b) => a - b))
        }
      }),
      runs,
    )
  })
})

function listPaths(list: unknown, key: string): string[] {
  return Array.isArray(list) ? list.map((_, index) => `${key}/${index}`) : []
}
