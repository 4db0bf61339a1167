/** Starting points: ordinary settings on the nodes that decide them. */
import { describe, expect, test } from 'vitest'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { holds, startingPoints, withStart } from './starting-points'

type Parts = readonly { id: string; kind: string; config: GraphNode['config'] }[]

function drawn(parts: Parts, parked: string[] = []): GraphDocument {
  return {
    version: 1,
    nodes: [{ id: 'a', kind: 'agent', config: { name: 'a' } }, ...parts],
    edges: parts.map(({ id, kind }) => {
      const port = kind.startsWith('policy:') ? 'policy' : 'model'
      return { from: { node: id, port }, to: { node: 'a', port: port === 'policy' ? 'policies' : 'model' } }
    }),
    notes: [],
    parked,
    look: { frames: [] },
  }
}

const model = { id: 'm', kind: 'model', config: { provider: 'scripted', name: 'demo' } }
const steps = (id: string, max: number) => ({ id, kind: 'policy:steps', config: { max } })
const [basic, performance, debug] = startingPoints
if (basic === undefined || performance === undefined || debug === undefined)
  throw new Error('three are known')
const config = (graph: GraphDocument) => compile(graph, catalog).config

describe('S4-34 starting points', () => {
  test('are basic, performance and debug with just these values', () => {
    expect(
      startingPoints.map(({ id, steps: most, strategy, stream }) => [id, most, strategy, stream]),
    ).toEqual([
      ['basic', 10, 'sequential', false],
      ['performance', 20, 'parallel', true],
      ['debug', 3, 'sequential', undefined],
    ])
  })

  test('S4-34 add what is missing, wired to the agent, and leave out what holds by default', () => {
    const fast = withStart(drawn([model]), performance, catalog).graph
    expect(config(fast)?.policies).toEqual([
      { use: 'steps', max: 20 },
      { use: 'execution', strategy: 'parallel' },
    ])
    const plain = withStart(drawn([model]), basic, catalog)
    expect(plain.added).toEqual([])
    expect(config(plain.graph)).toMatchObject({
      model: { provider: 'scripted', name: 'demo', stream: false },
    })
    expect(config(plain.graph)?.policies).toBeUndefined()
    expect(config(withStart(drawn([]), basic, catalog).graph)?.model).toMatchObject({ stream: false })
  })

  test('S4-34 change the node that decides, and any other that would then decide in its place', () => {
    const several = drawn([model, steps('s1', 8), steps('s2', 5), steps('s3', 40)])
    const { graph } = withStart(several, performance, catalog)
    expect(graph.nodes.filter(({ kind }) => kind === 'policy:steps').map((each) => each.config.max)).toEqual([
      20, 20, 40,
    ])
    const lower = withStart(several, debug, catalog).graph
    expect(lower.nodes.filter(({ kind }) => kind === 'policy:steps').map((each) => each.config.max)).toEqual([
      8, 3, 40,
    ])
  })

  test('S4-34 of several execution policies the last is changed, and one that is switched off is used again', () => {
    const execution = (id: string) => ({ id, kind: 'policy:execution', config: {} })
    const two = withStart(drawn([model, execution('e1'), execution('e2')]), performance, catalog).graph
    expect(two.nodes.find(({ id }) => id === 'e2')?.config).toEqual({ strategy: 'parallel' })
    expect(two.nodes.find(({ id }) => id === 'e1')?.config).toEqual({})
    const off = withStart(drawn([model, execution('e1')], ['e1']), performance, catalog).graph
    expect(off.parked).toEqual([])
    expect(off.nodes.filter(({ kind }) => kind === 'policy:execution')).toHaveLength(1)
  })

  test.each(startingPoints)(
    'S4-34 $id holds once it is set, no other does, and setting it again changes nothing',
    (start) => {
      for (const from of [drawn([]), drawn([model, steps('s', 7)]), drawn([model], ['m'])]) {
        const { graph } = withStart(from, start, catalog)
        expect(startingPoints.filter((each) => holds(graph, each, catalog))).toEqual([start])
        expect(withStart(graph, start, catalog).graph).toBe(graph)
      }
    },
  )

  test('S4-34 a model without the setting keeps what it has, and says so', () => {
    const other = drawn([{ id: 'm', kind: 'model', config: { provider: 'other', name: 'x' } }])
    const done = withStart(other, basic, catalog)
    expect(done.graph).toBe(other)
    expect(done.notes).toHaveLength(1)
    expect(holds(drawn([]), debug, catalog)).toBe(false)
  })
})
