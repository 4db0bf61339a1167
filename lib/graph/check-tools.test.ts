import { describe, expect, test } from 'vitest'
import type { GraphDocument } from '#lib/spec/graph'
import { catalog } from './catalog.fixture'
import { check } from './check'
import { compile } from './compile'
import { drawing, node } from './drawings.fixture'

const agent = node('a', 'agent', { name: 'a' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })
const math = node('math', 'tool:builtin', { tools: ['math.calculate'] })
const codes = (graph: GraphDocument) => check(graph, catalog).map(({ code }) => code)

interface Case {
  name: string
  graph: GraphDocument
  expected: { severity: string; code: string; node?: string; path?: string }
}

const cases: Case[] = [
  {
    name: 'S4-14 two tools whose entries give them one name',
    graph: drawing(
      [
        agent,
        node('sql', 'tool:builtin', { tools: ['sql.execute'], rename: { 'sql.execute': 'ask' } }),
        node('math', 'tool:builtin', { tools: ['math.calculate'], rename: { 'math.calculate': 'ask' } }),
      ],
      [
        ['sql', 'a'],
        ['math', 'a'],
      ],
    ),
    expected: { severity: 'error', code: 'tool_twice', node: 'math', path: 'tools/1' },
  },
  {
    name: 'S4-14 another name for a tool that the entry does not offer',
    graph: drawing(
      [agent, { ...sql, config: { tools: ['sql.execute'], rename: { 'math.calculate': 'sum' } } }],
      [['sql', 'a']],
    ),
    expected: {
      severity: 'warning',
      code: 'setting_unmatched',
      node: 'sql',
      path: 'tools/0/rename/math.calculate',
    },
  },
  {
    name: 'S4-14 a name that no tool can have',
    graph: drawing(
      [agent, { ...sql, config: { tools: ['sql.execute'], rename: { 'sql.execute': 'no spaces' } } }],
      [['sql', 'a']],
    ),
    expected: { severity: 'error', code: 'config_invalid', node: 'sql', path: 'tools/0/rename/sql.execute' },
  },
  {
    name: 'E-60 a tool that is allowed and denied',
    graph: drawing(
      [agent, sql, math, node('s', 'policy:skills', { allow: ['math.*', 'sql.execute'], deny: ['sql.*'] })],
      [
        ['sql', 'a'],
        ['math', 'a'],
        ['s', 'a'],
      ],
    ),
    expected: { severity: 'warning', code: 'allow_denied', node: 's', path: 'policies/0/allow/1' },
  },
  {
    name: 'E-60 policies that leave no tool',
    graph: drawing(
      [agent, sql, node('s', 'policy:skills', { deny: ['sql.*'] })],
      [
        ['sql', 'a'],
        ['s', 'a'],
      ],
    ),
    expected: { severity: 'warning', code: 'tools_denied', node: 'a', path: 'agent' },
  },
  {
    name: 'E-60 policies that together allow no tool',
    graph: drawing(
      [
        agent,
        sql,
        math,
        node('s', 'policy:skills', { allow: ['sql.*'] }),
        node('z', 'policy:skills', { allow: ['math.*'] }),
      ],
      [
        ['sql', 'a'],
        ['math', 'a'],
        ['s', 'a'],
        ['z', 'a'],
      ],
    ),
    expected: { severity: 'warning', code: 'tools_denied', node: 'a', path: 'agent' },
  },
]

test.each(cases)('$name is found', ({ graph, expected }) => {
  const found = check(graph, catalog).filter(({ code }) => code === expected.code)
  expect(found).toEqual([expect.objectContaining(expected)])
  expect(compile(graph, catalog).config === null).toBe(expected.severity === 'error')
})

describe('S4-14 E-60 no finding', () => {
  const two = (onDuplicate: string) =>
    drawing(
      [agent, sql, { ...math, config: { tools: ['sql.execute'], onDuplicate } }],
      [
        ['sql', 'a'],
        ['math', 'a'],
      ],
    )
  test.each(['override', 'skip', 'rename'])('about two tools of one name where the later says %s', (each) => {
    expect(codes(two(each))).not.toContain('tool_twice')
  })

  test('about a wide pattern that is allowed but for one tool', () => {
    const policy = node('s', 'policy:skills', { allow: ['sql.*', 'math.*'], deny: ['sql.execute'] })
    const graph = drawing(
      [agent, { ...sql, config: { tools: ['*'] } }, policy],
      [
        ['sql', 'a'],
        ['s', 'a'],
      ],
    )
    expect(codes(graph)).not.toContain('tools_denied')
  })
})
