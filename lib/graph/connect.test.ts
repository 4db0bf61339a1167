/** Which wires fit, and the reasons given for those that do not. */
import { expect, test } from 'vitest'
import type { GraphDocument } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { fits } from './connect'

const graph: GraphDocument = {
  version: 1,
  nodes: [
    { id: 'a', kind: 'agent', config: { name: 'a' } },
    { id: 'm', kind: 'model', config: {} },
    { id: 't', kind: 'tool:builtin', config: {} },
    { id: 'r', kind: 'policy:results', config: {} },
    { id: 's', kind: 'policy:steps', config: {} },
    { id: 'later', kind: 'policy:later', config: {} },
  ],
  edges: [{ from: { node: 't', port: 'tool' }, to: { node: 'a', port: 'tools' } }],
  notes: [],
  parked: [],
  look: { frames: [] },
}

const cases: [from: string, to: string, reason: string | null][] = [
  ['m.model', 'a.model', null],
  ['r.policy', 'a.policies', null],
  ['r.policy', 't.policies', null],
  ['s.policy', 'a.policies', null],
  ['later.policy', 't.policies', null],
  ['s.policy', 't.policies', 'steps always covers the whole run: wire it to the agent.'],
  ['m.model', 'a.tools', 'A model goes into the port “model” of the agent.'],
  ['m.model', 't.policies', 'A model goes into the port “model” of the agent.'],
  ['t.tool', 'a.policies', 'A tool goes into the port “tools” of the agent or a group.'],
  ['t.tool', 'a.tools', 'These two are wired already.'],
  ['a.model', 't.policies', 'An output goes into the port “output” of an output.'],
  ['t.tool', 't.policies', 'A node cannot be wired to itself.'],
  ['gone.tool', 'a.tools', 'That node is no longer on the canvas.'],
]

test.each(cases)('%s into %s', (from, to, reason) => {
  const [source, target] = [from, to].map((end) => {
    const [node = '', port = ''] = end.split('.')
    return { node, port }
  })
  if (source === undefined || target === undefined) throw new Error('each case has two ends')
  expect(fits(graph, catalog, source, target)).toEqual(reason === null ? { ok: true } : { ok: false, reason })
})
