/** Every fix is one edit that removes its finding. */
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentName } from '#lib/spec/config'
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { drawing, node } from './drawings.fixture'
import { fixesFor } from './fixes'

const agent = node('a', 'agent', { name: 'a' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })
const math = node('math', 'tool:builtin', { tools: ['math.calculate'] })
const results = node('r', 'policy:results', { maxChars: 5 })
const model = (id: string) => node(id, 'model', { provider: 'scripted', name: 'demo' })
const code = (config: JsonObject) => node('c', 'tool:code', { name: 'up', source: 'return 1', ...config })

interface Case {
  readonly code: string
  readonly graph: GraphDocument
  /** Labels in order. */
  readonly labels: readonly string[]
}

const wiredTool = (config: JsonObject) => drawing([agent, { ...sql, config }], [['sql', 'a']])
const wiredPolicy = (kind: string, config: JsonObject, more: [string, string][] = [['p', 'a']]) =>
  drawing([agent, sql, node('p', kind, config)], [['sql', 'a'], ...more])

const cases: Case[] = [
  { code: 'agent_missing', graph: drawing([sql]), labels: ['Add an agent'] },
  {
    code: 'agent_several',
    graph: drawing([agent, node('b', 'agent', { name: 'b' })]),
    labels: ['Delete this agent'],
  },
  { code: 'agent_parked', graph: drawing([agent], [], ['a']), labels: ['Switch it on'] },
  { code: 'model_missing', graph: drawing([agent]), labels: ['Use the scripted demo model'] },
  {
    code: 'model_missing',
    graph: drawing([agent, model('m')]),
    labels: ['Connect the model', 'Use the scripted demo model'],
  },
  {
    code: 'model_missing',
    graph: drawing([agent, model('m')], [['m', 'a']], ['m']),
    labels: ['Switch the model on'],
  },
  {
    code: 'model_several',
    graph: drawing([agent, model('m'), model('n')], [['m', 'a'], ['n', 'a']]), // biome-ignore format: one wire next to the other
    labels: ['Remove this one’s wire', 'Switch it off'],
  },
  {
    code: 'kind_unknown',
    graph: drawing([agent, node('x', 'tool:later')], [['x', 'a']]),
    labels: ['Switch it off', 'Delete it'],
  },
  {
    code: 'node_unwired',
    graph: drawing([agent, sql]),
    labels: ['Wire it to the agent', 'Delete it'],
  },
  {
    code: 'node_unwired',
    graph: drawing([agent, model('m'), model('n')], [['m', 'a']]),
    labels: ['Delete it'],
  },
  {
    code: 'policy_off',
    graph: drawing([agent, results], [['r', 'a']], ['r']),
    labels: ['Switch it on', 'Delete it'],
  },
  {
    code: 'class_lowered',
    graph: drawing([agent, code({ effect: 'idempotent' })], [['c', 'a']]),
    labels: ['Remove the effect'],
  },
  {
    code: 'class_contradiction',
    graph: wiredTool({ tools: ['sql.execute'], risk: 'read', effect: 'effect' }),
    labels: ['Remove the effect'],
  },
  { code: 'policy_empty', graph: wiredPolicy('policy:budget', {}), labels: ['Delete it'] },
  {
    code: 'policy_overruled',
    graph: drawing(
      [agent, node('e', 'policy:execution'), node('f', 'policy:execution')],
      [
        ['e', 'a'],
        ['f', 'a'],
      ],
    ),
    labels: ['Delete it'],
  },
  { code: 'id_twice', graph: drawing([agent, sql, sql]), labels: ['Give it an id of its own'] },
  {
    code: 'wire_loose',
    graph: {
      ...drawing([agent]),
      edges: [{ from: { node: 'x', port: 'tool' }, to: { node: 'a', port: 'tools' } }],
    },
    labels: ['Remove the wire'],
  },
  {
    code: 'wire_misfit',
    graph: {
      ...drawing([agent, sql]),
      edges: [{ from: { node: 'sql', port: 'tool' }, to: { node: 'a', port: 'model' } }],
    },
    labels: ['Remove the wire'],
  },
  {
    code: 'policy_unscoped',
    graph: wiredPolicy('policy:steps', {}, [['p', 'sql']]),
    labels: ['Wire it to the agent'],
  },
  {
    code: 'policy_unscoped',
    graph: wiredPolicy('policy:steps', {}, [
      ['p', 'sql'],
      ['p', 'a'],
    ]),
    labels: ['Remove the wires to the tools'],
  },
  {
    code: 'scope_twice',
    graph: wiredPolicy('policy:results', {}, [
      ['p', 'sql'],
      ['p', 'a'],
    ]),
    labels: ['Keep it on these tools only', 'Let it cover every tool'],
  },
  {
    code: 'scope_twice',
    graph: wiredPolicy('policy:results', { appliesTo: ['math.*'] }, [['p', 'sql']]),
    labels: ['Clear “Applies to”', 'Keep the names, wire it to the agent'],
  },
  {
    code: 'scope_empty',
    graph: drawing([agent, { ...sql, config: {} }, results], [['sql', 'a'], ['r', 'sql']]), // biome-ignore format: one wire next to the other
    labels: ['Wire it to the agent'],
  },
  {
    code: 'scope_empty',
    graph: drawing(
      [agent, { ...sql, config: {} }, math, results],
      [
        ['sql', 'a'],
        ['math', 'a'],
        ['r', 'sql'],
        ['r', 'math'],
      ],
    ),
    labels: ['Remove the wire to it'],
  },
  {
    code: 'glob_unmatched',
    graph: wiredTool({ tools: ['sql.exceute', 'math.*'] }),
    labels: ['Change to “sql.execute”', 'Remove “sql.exceute”'],
  },
  {
    code: 'glob_unmatched',
    graph: wiredPolicy('policy:skills', { deny: ['sql.*', 'nope'] }),
    labels: ['Remove “nope”'],
  },
  {
    code: 'tool_not_offered',
    graph: wiredPolicy('policy:tool-choice', { choice: { tool: 'time.now' } }),
    labels: ['Add time.now', 'Back to “auto”'],
  },
  {
    code: 'tool_twice',
    graph: drawing(
      [agent, sql, { ...math, config: { tools: ['sql.*', 'math.*'] } }],
      [
        ['sql', 'a'],
        ['math', 'a'],
      ],
    ),
    labels: ['Remove “sql.*” here'],
  },
  {
    code: 'tool_twice',
    graph: drawing([agent, sql, { ...sql, id: 'again' }], [['sql', 'a'], ['again', 'a']]), // biome-ignore format: one wire next to the other
    labels: ['Delete this one'],
  },
  {
    code: 'tool_twice',
    graph: drawing([agent, sql, code({ name: 'sql.execute' })], [['sql', 'a'], ['c', 'a']]), // biome-ignore format: one wire next to the other
    labels: ['Name it “sql.execute_2”'],
  },
  {
    code: 'preset_unmatched',
    graph: wiredTool({ tools: ['sql.*'], preset: { 'time.now': {} } }),
    labels: ['Remove the preset of “time.now”'],
  },
  {
    code: 'preset_unmatched',
    graph: wiredTool({ tools: ['sql.*'], preset: { 'sql.execute': { base: 'x' } } }),
    labels: ['Remove “base”'],
  },
  {
    code: 'preset_invalid',
    graph: wiredTool({ tools: ['sql.*'], preset: { 'sql.execute': { database: 3 } } }),
    labels: ['Let the model give “database”'],
  },
  {
    code: 'parameters_invalid',
    graph: drawing([agent, code({ parameters: { type: 'array' } })], [['c', 'a']]),
    labels: ['Take no arguments'],
  },
  {
    code: 'parameters_invalid',
    graph: drawing(
      [agent, code({ parameters: { type: 'object', properties: { a: { anyOf: [{ pattern: '(' }] } } } })],
      [['c', 'a']],
    ),
    labels: ['Remove the pattern'],
  },
  {
    code: 'schema_invalid',
    graph: drawing(
      [agent, { id: 'o', kind: 'output', config: { schema: { items: { pattern: '(' } } } }],
      [['a', 'o']],
    ),
    labels: ['Remove the pattern'],
  },
  { code: 'config_invalid', graph: wiredTool({ tols: [] }), labels: ['Remove “tols”'] },
  {
    code: 'config_invalid',
    graph: wiredPolicy('policy:steps', { max: 0 }),
    labels: ['Set to 1', 'Back to 10'],
  },
  {
    code: 'config_invalid',
    graph: wiredPolicy('policy:steps', { max: 'ten' }),
    labels: ['Back to 10'],
  },
  {
    code: 'config_invalid',
    graph: drawing([node('a', 'agent', { name: 'My Agent!' })]),
    labels: ['Change to “my-agent”'],
  },
  {
    code: 'config_invalid',
    graph: drawing([node('a', 'agent', {})]),
    labels: ['Set to “new-agent”'],
  },
  {
    code: 'config_invalid',
    graph: drawing([agent, code({ source: '' })], [['c', 'a']]),
    labels: ['Switch it off'],
  },
  {
    code: 'config_invalid',
    graph: drawing([agent, node('m', 'model', { provider: 'gone' })], [['m', 'a']]),
    labels: ['Use the scripted demo model'],
  },
  {
    code: 'config_invalid',
    graph: wiredPolicy('policy:results', { appliesTo: [] }),
    labels: ['Clear “Applies to”'],
  },
]

const keyOf = ({ code, node, path }: Diagnostic) => `${code} ${node ?? ''} ${path ?? ''}`
const findingIn = ({ code, graph }: Case) => {
  const found = check(graph, catalog).find((each) => each.code === code)
  if (found === undefined) throw new Error(`no ${code} here`)
  return found
}

describe.each(cases.map((each) => [`${each.code}: ${each.labels.join(' or ')}`, each] as const))(
  '%s',
  (_, each) => {
    const found = findingIn(each)
    const fixes = fixesFor(found, each.graph, catalog)

    test('the fixes are named by what they do', () => {
      expect(fixes.map(({ label }) => label)).toEqual(each.labels)
    })

    test('after a fix the finding is gone, and nothing new stands against running', () => {
      const errors = (list: readonly Diagnostic[]) => list.filter(({ severity }) => severity === 'error')
      const before = errors(check(each.graph, catalog))
      for (const fix of fixes) {
        const { graph } = fix.apply(each.graph, catalog)
        const after = check(graph, catalog)
        expect(after.map(keyOf), fix.label).not.toContain(keyOf(found))
        expect(errors(after).length, fix.label).toBeLessThanOrEqual(before.length)
      }
    })
  },
)

test('of several settings that only a person can mend, one offers to switch the part off', () => {
  const graph = drawing([agent, node('s', 'skill')], [['s', 'a']])
  const found = check(graph, catalog).filter(({ code }) => code === 'config_invalid')
  expect(found.map((each) => fixesFor(each, graph, catalog).length)).toEqual([1, 0])
})

test('a list that is too long keeps what it may hold', () => {
  const short = { ...catalog, schema: { ...catalog.schema } }
  short.schema.properties = {
    ...catalog.schema.properties,
    tools: { ...catalog.schema.properties?.tools, maxItems: 1 },
  }
  const graph = drawing([agent, sql, math], [['sql', 'a'], ['math', 'a']]) // biome-ignore format: one wire next to the other
  const found = check(graph, short).find(({ code }) => code === 'list_too_long')
  if (found === undefined) throw new Error('not too long')
  const [fix] = fixesFor(found, graph, short)
  expect(fix?.label).toBe('Switch the last one off')
  const after = fix?.apply(graph, short).graph
  expect(after?.parked).toEqual(['math'])
})

test('a model that is switched off and loose answers again', () => {
  const graph = drawing([agent, node('m', 'model', { provider: 'other', name: 'x' })], [], ['m'])
  const found = check(graph, catalog).find(({ code }) => code === 'model_missing')
  const [fix] = found === undefined ? [] : fixesFor(found, graph, catalog)
  expect(fix?.label).toBe('Switch the model on and wire it')
  const after = fix?.apply(graph, catalog).graph
  expect(after && check(after, catalog).map(({ code }) => code)).not.toContain('model_missing')
})

test('a wire that fits stays, even when the drawing was read anew since the finding', () => {
  const misfit = { from: { node: 'sql', port: 'tool' }, to: { node: 'a', port: 'model' } }
  const good = drawing([agent, sql], [['sql', 'a']])
  const graph = { ...good, edges: [...good.edges, misfit] }
  const found = check(graph, catalog).find(({ code }) => code === 'wire_misfit')
  const [fix] = found === undefined ? [] : fixesFor(found, graph, catalog)
  expect(fix?.apply(structuredClone(graph), catalog).graph.edges).toEqual(good.edges)
})

test('a name that another agent has gets the next number', () => {
  const taken: Diagnostic = { severity: 'error', code: 'name_taken', message: '', node: 'a', path: 'name' }
  const named = (name: string) => {
    const graph = drawing([node('a', 'agent', { name })])
    return fixesFor(taken, graph, catalog)[0]?.apply(graph, catalog).graph.nodes[0]?.config.name
  }
  expect(named('shop')).toBe('shop-2')
  expect(named('shop-2')).toBe('shop-3')
  const long = [
    `${'a'.repeat(57)}-b`,
    `${'a'.repeat(57)}-99999`,
    'shop-999999999999999999999999',
    'a'.repeat(64),
  ]
  for (const name of long) expect(agentName.safeParse(named(name)).error).toBeUndefined()
})

test('a provider that lacks its key gives way to the demo model, wired where it was', () => {
  const graph = drawing([agent, node('m', 'model', { provider: 'other', name: 'x' })], [['m', 'a']])
  const found: Diagnostic = {
    severity: 'warning',
    code: 'key_missing',
    message: '',
    node: 'm',
    path: 'model',
  }
  const [fix] = fixesFor(found, graph, catalog)
  expect(fix?.apply(graph, catalog).graph.nodes[1]?.config).toMatchObject({
    provider: 'scripted',
    name: 'demo',
  })
})

/** Only a person can know the intention, or there is no drawing to correct (an imported file). */
const without = [
  'tools_empty',
  'tools_denied',
  'canvas_wire',
  'parked_wired',
  'drawing_too_large',
  'canvas_unknown',
]
/** Tested in fixes-tools.test.ts and check-skills.test.ts. */
const ofTools = ['setting_unmatched', 'allow_denied', 'tool_both_ways', 'skill_twice']

test('every code of the checks has a fix, or a reason for none', () => {
  const folder = path.resolve('lib/graph')
  const sources = fs.readdirSync(folder).filter((each) => each.endsWith('.ts') && !each.includes('.test.'))
  const textOf = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8')
  const codes = sources.flatMap((each) => [...textOf(each).matchAll(/(?:code: |\bfault\()'([a-z_]+)'/g)])
  const covered = new Set([
    ...cases.map((each) => each.code),
    'list_too_long',
    'findings_cut',
    ...ofTools,
    ...without,
  ])
  // Those of groups are tested in `check-groups.test.ts`.
  const outsideGroups = [...new Set(codes.map(([, code = '']) => code))].filter(
    (each) => !/^group_|^tool_placed/.test(each),
  )
  expect(outsideGroups.filter((each) => !covered.has(each))).toEqual([])
})
