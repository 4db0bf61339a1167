/** Drawing a config: the resulting shape, and the diagnostics for a canvas that names missing nodes. */
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { decompile } from './decompile'

const config: JsonObject = {
  name: 'a',
  title: '',
  protocol: {},
  tools: [
    { use: 'builtin', tools: ['sql.*'] },
    { use: 'mcp', server: 's', enable: ['echo'] },
    { use: 'http', name: 'x', method: 'GET' },
  ],
  policies: [
    { use: 'steps', max: 10 },
    { use: 'results', appliesTo: ['sql.*', 'x'] },
    { use: 'results', appliesTo: ['x', 'sql.*'] },
    { use: 'timeout', appliesTo: ['s.echo'], seconds: 4 },
  ],
  canvas: {
    at: { 'tools/0': [4, 8], agent: [0, 0] },
    notes: [{ text: 'n', at: [1, 2] }],
    parked: [
      {
        kind: 'tool:builtin',
        config: { tools: [] },
        why: 'disabled',
        wires: [{ from: 'parked/0', to: 'agent' }],
      },
    ],
  },
}

test('ids are paths, scope is wires where it can be drawn, and defaults are gone', () => {
  const { graph, diagnostics } = decompile(config, catalog)
  expect(diagnostics).toEqual([])
  expect(graph.nodes).toEqual([
    { id: 'agent', kind: 'agent', config: { name: 'a' }, at: { x: 0, y: 0 } },
    { id: 'protocol', kind: 'protocol', config: {} },
    { id: 'tools/0', kind: 'tool:builtin', config: { tools: ['sql.*'] }, at: { x: 4, y: 8 } },
    { id: 'tools/1', kind: 'tool:mcp', config: { server: 's', enable: ['echo'] } },
    { id: 'tools/2', kind: 'tool:http', config: { name: 'x' } },
    { id: 'policies/0', kind: 'policy:steps', config: {} },
    { id: 'policies/1', kind: 'policy:results', config: {} },
    { id: 'policies/2', kind: 'policy:results', config: { appliesTo: ['x', 'sql.*'] } },
    { id: 'policies/3', kind: 'policy:timeout', config: { seconds: 4 } },
    { id: 'parked/0', kind: 'tool:builtin', config: { tools: [] } },
  ])
  expect(graph.edges.map(({ from, to }) => `${from.node} ${from.port} ${to.node} ${to.port}`)).toEqual([
    'protocol protocol agent protocol',
    'tools/0 tool agent tools',
    'tools/1 tool agent tools',
    'tools/2 tool agent tools',
    'policies/0 policy agent policies',
    'policies/1 policy tools/0 policies',
    'policies/1 policy tools/2 policies',
    'policies/2 policy agent policies',
    'policies/3 policy tools/1 policies',
    'parked/0 tool agent tools',
  ])
  expect(graph.notes).toEqual([{ id: 'note_0', text: 'n', at: [1, 2] }])
  expect(graph.parked).toEqual(['parked/0'])
})

test('the canonical bytes are these', () => {
  const small: JsonObject = {
    policies: [{ max: 10, use: 'steps' }],
    protocol: { format: 'native' },
    model: { stream: true, name: 'demo', provider: 'scripted' },
    canvas: { at: {}, notes: [] },
    tools: [],
    name: 'a',
  }
  expect(compile(decompile(small, catalog).graph, catalog).text).toBe(
    `${JSON.stringify(
      {
        $schema: 'urn:loopwright:agent:1',
        version: 1,
        name: 'a',
        model: { provider: 'scripted', name: 'demo' },
        protocol: {},
        policies: [{ use: 'steps' }],
      },
      null,
      2,
    )}\n`,
  )
})

describe('an error is told for', () => {
  const parked = (more: JsonObject, wires: JsonObject[]) => ({
    parked: [{ kind: 'policy:results', config: {}, why: 'disabled', wires, ...more }],
  })
  const cases: [name: string, canvas: JsonObject, code: string, path: string][] = [
    ['a place of what does not stand', { at: { 'tools/9': [0, 0] } }, 'canvas_unknown', 'canvas/at/tools/9'],
    [
      'a place of a parked entry that does not stand',
      { at: { 'parked/0': [0, 0] } },
      'canvas_unknown',
      'canvas/at/parked/0',
    ],
    [
      'a wire to what does not stand',
      parked({}, [{ from: 'parked/0', to: 'tools/9' }]),
      'canvas_unknown',
      'canvas/parked/0/wires/0',
    ],
    [
      'a wire between two that live',
      parked({}, [{ from: 'tools/0', to: 'agent' }]),
      'canvas_wire',
      'canvas/parked/0/wires/0',
    ],
    [
      'a wire that does not fit',
      parked({}, [{ from: 'agent', to: 'parked/0' }]),
      'canvas_wire',
      'canvas/parked/0/wires/0',
    ],
    [
      'a wire given twice',
      parked({}, [
        { from: 'parked/0', to: 'agent' },
        { from: 'parked/0', to: 'agent' },
      ]),
      'canvas_wire',
      'canvas/parked/0/wires/1',
    ],
    [
      'a node parked as unwired whose wires lead to the agent',
      parked({ why: 'unwired' }, [{ from: 'parked/0', to: 'agent' }]),
      'parked_wired',
      'canvas/parked/0/wires',
    ],
  ]
  test.each(cases)('%s', (_, canvas, code, path) => {
    const { graph, diagnostics } = decompile({ ...config, canvas }, catalog)
    expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', code, path })])
    // The drawing is still sound: no parked node has become live.
    expect(compile(graph, catalog).config?.policies).toHaveLength(4)
  })
})
