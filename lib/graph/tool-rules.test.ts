import { describe, expect, test } from 'vitest'
import { emptyGraph, type GraphDocument, type GraphNode } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { addNode, setParked } from './edit'
import { denyTools, policyDenying, ruleInForce, setToolRule, type ToolRule } from './tool-rules'

const at = { x: 0, y: 0 }

function begin(): GraphDocument {
  const start = addNode(emptyGraph, { id: 'agent', kind: 'agent', config: { name: 'a' } }, catalog).graph
  const add = (graph: GraphDocument, id: string, tool: string) =>
    addNode(graph, { id, kind: 'tool:builtin', config: { tools: [tool] }, wire: true }, catalog).graph
  return add(add(start, 'sum', 'math.calculate'), 'clock', 'time.now')
}

const set = (graph: GraphDocument, rule: ToolRule, entry: string) =>
  setToolRule(graph, { rule, entry, at }, catalog)
const policies = (graph: GraphDocument) => compile(graph, catalog).config?.policies
const has = (graph: GraphDocument, rule: ToolRule, entry: string) =>
  ruleInForce(graph, catalog, { rule, entry }) !== undefined

describe('a rule on a tool', () => {
  test.each<[ToolRule, object]>([
    ['never', { use: 'skills', deny: ['math.calculate'] }],
    ['ask', { use: 'approval', appliesTo: ['math.calculate'] }],
    ['calls', { use: 'budget', appliesTo: ['math.calculate'], calls: 3 }],
  ])('adds a policy: %s', (rule, entry) => {
    const done = set(begin(), rule, 'sum')
    expect(done.added).toHaveLength(1)
    expect(policies(done.graph)).toEqual([entry])
    expect(has(done.graph, rule, 'sum')).toBe(true)
    expect(has(done.graph, rule, 'clock')).toBe(false)
  })

  test.each<[ToolRule, object[]]>([
    ['never', [{ use: 'skills', deny: ['math.calculate', 'time.now'] }]],
    ['ask', [{ use: 'approval', appliesTo: ['math.calculate', 'time.now'] }]],
    [
      'calls',
      [
        { use: 'budget', appliesTo: ['math.calculate'], calls: 3 },
        { use: 'budget', appliesTo: ['time.now'], calls: 3 },
      ],
    ],
  ])('extends the policy of another tool where that changes nothing else: %s', (rule, entries) => {
    expect(policies(set(set(begin(), rule, 'sum').graph, rule, 'clock').graph)).toEqual(entries)
  })

  test.each<ToolRule>(['never', 'ask', 'calls'])('that is set already changes nothing: %s', (rule) => {
    const { graph } = set(begin(), rule, 'sum')
    expect(set(graph, rule, 'sum').graph).toBe(graph)
  })

  test('may deny one tool of several in an entry, which leaves the others allowed', () => {
    const both = { id: 'both', kind: 'tool:builtin', config: { tools: ['files.read', 'files.list'] } }
    const drawn = addNode(begin(), { ...both, wire: true }, catalog).graph
    const first = denyTools(drawn, { tools: ['files.read'], at }, catalog)
    expect(policies(first.graph)).toEqual([{ use: 'skills', deny: ['files.read'] }])
    expect(policyDenying(first.graph, catalog, 'files.read')?.id).toBe(first.added[0])
    expect(policyDenying(first.graph, catalog, 'files.list')).toBeUndefined()
    expect(has(first.graph, 'never', 'both')).toBe(false)
    const second = denyTools(first.graph, { tools: ['files.list'], at }, catalog)
    expect(policies(second.graph)).toEqual([{ use: 'skills', deny: ['files.read', 'files.list'] }])
    expect(has(second.graph, 'never', 'both')).toBe(true)
  })

  test('is not in force through a policy that is switched off', () => {
    const { graph, added } = set(begin(), 'never', 'sum')
    const off = setParked(graph, added, true, catalog).graph
    expect(has(off, 'never', 'sum')).toBe(false)
  })

  test('is in force through a pattern, and through an approval of the whole agent', () => {
    const policy = (kind: string, config: GraphNode['config']) =>
      addNode(begin(), { kind, config, wire: true }, catalog).graph
    expect(has(policy('policy:skills', { deny: ['math.*'] }), 'never', 'sum')).toBe(true)
    expect(has(policy('policy:approval', {}), 'ask', 'sum')).toBe(true)
    expect(has(policy('policy:approval', { appliesTo: ['time.*'] }), 'ask', 'sum')).toBe(false)
  })

  test('needs a tool', () => {
    const empty = addNode(
      begin(),
      { id: 'none', kind: 'tool:builtin', config: { tools: [] }, wire: true },
      catalog,
    )
    expect(set(empty.graph, 'never', 'none').notes).toEqual(['This part offers no tool yet.'])
  })
})
