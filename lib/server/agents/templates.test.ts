import { expect, it } from 'vitest'
import { compile } from '#lib/graph/compile'
import { decompile } from '#lib/graph/decompile'
import { templateList } from '#lib/wire/agents'
import { createCatalog, readConfig } from './catalog'
import { readTemplates } from './templates'

const { items } = templateList.parse(readTemplates('examples'))
const catalog = createCatalog('test')

it('are told apart by their ids and names, the plainest last', () => {
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
  expect(new Set(items.map(({ config }) => config.name)).size).toBe(items.length)
  expect(items.at(-1)?.id).toBe('blank')
})

it.each(items)('$id compiles with nothing to say against it', ({ config }) => {
  expect(readConfig(config)).toMatchObject({ ok: true })
  const drawn = decompile(config, catalog)
  const compiled = compile(drawn.graph, catalog)
  expect([...drawn.diagnostics, ...compiled.diagnostics]).toEqual([])
  expect(compiled.config).not.toBeNull()
})

it('leave out what is made from examples that are not there', () => {
  const ids = readTemplates(undefined).items.map(({ id }) => id)
  expect(ids).toContain('blank')
  expect(ids).not.toContain('calculator')
})
