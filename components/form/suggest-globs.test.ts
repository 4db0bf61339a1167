import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { emptyGraph, type GraphNode } from '#lib/spec/graph'
import { ownToolNames, suggestGlobs } from './suggest-globs'

test('the agent’s own tools come first, then their families, then all others', () => {
  expect(
    suggestGlobs(['sql.execute'], ['files.create', 'files.view', 'sql.execute', 'sql.list', 'web.fetch']),
  ).toEqual(['sql.execute', 'files.*', 'sql.*', 'files.create', 'files.view', 'sql.list', 'web.fetch'])
})

test('a tool that a person wrote counts as the agent’s own', () => {
  const node = (id: string, kind: string, config: GraphNode['config']): GraphNode => ({ id, kind, config })
  const nodes = [
    node('a', 'tool:code', { name: 'text.slugify' }),
    node('b', 'tool:builtin', { tools: ['time.*'] }),
    node('c', 'policy:steps', {}),
  ]
  const names = ownToolNames({ ...emptyGraph, nodes }, catalog)
  expect(names[0]).toBe('text.slugify')
  expect(names).toContain('time.now')
})
