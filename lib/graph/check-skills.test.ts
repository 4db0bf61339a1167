import { expect, test } from 'vitest'
import { catalog } from './catalog.fixture'
import { compile } from './compile'
import { decompile } from './decompile'
import { fixesFor } from './fixes'

const hash = `sha256:${'a'.repeat(64)}`
const config = {
  name: 'writer',
  skills: [
    { name: 'notes', hash },
    { name: 'pdf-forms', hash },
  ],
}

test('S4-42 skills of a config are cards that are wired to the agent', () => {
  const { graph } = decompile(config, catalog)
  expect(graph.nodes.map(({ id, kind }) => [id, kind])).toEqual([
    ['agent', 'agent'],
    ['skills/0', 'skill'],
    ['skills/1', 'skill'],
  ])
  expect(graph.edges[0]).toEqual({
    from: { node: 'skills/0', port: 'skill' },
    to: { node: 'agent', port: 'skills' },
  })
  expect(compile(graph, catalog).config).toMatchObject(config)
})

test('S4-42 a skill that is wired twice is an error, and one of the two can be deleted', () => {
  const { graph } = decompile({ name: 'writer', skills: [config.skills[0] ?? {}] }, catalog)
  const [agent, first] = graph.nodes
  const [wire] = graph.edges
  if (!agent || !first || !wire) throw new Error('the drawing has both')
  const twice = {
    ...graph,
    nodes: [agent, first, { ...first, id: 'again' }],
    edges: [wire, { ...wire, from: { ...wire.from, node: 'again' } }],
  }
  const { config: none, diagnostics } = compile(twice, catalog)
  expect(none).toBeNull()
  const [found] = diagnostics
  expect(found).toMatchObject({ code: 'skill_twice', node: 'again', path: 'skills/1/name' })
  const [fix] = found === undefined ? [] : fixesFor(found, twice, catalog)
  expect(fix?.apply(twice, catalog).graph.nodes).toHaveLength(2)
})
