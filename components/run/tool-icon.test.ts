import { describe, expect, it } from 'vitest'
import type { Catalog } from '#lib/spec/catalog'
import { policyLabel, sourceWords, toolMark } from './tool-icon'

const catalog = {
  kinds: [
    { kind: 'tool:code', icon: 'square-code', family: 'tool', label: 'Code tool' },
    { kind: 'tool:mcp', icon: 'plug', family: 'mcp', label: 'MCP server' },
    { kind: 'policy:approval', icon: 'hand', family: 'policy', label: 'Ask first' },
  ],
  tools: [{ name: 'sql.execute', icon: 'database' }],
} as unknown as Catalog // cast: only these fields of a catalog are read here

describe('the mark of a call', () => {
  it('is its tool’s own', () => {
    expect(toolMark(catalog, { name: 'sql.execute', source: 'builtin' })).toEqual({
      icon: 'database',
      family: 'tool',
    })
  })

  it('is that of the kind which brought it, where the catalog knows no such tool', () => {
    expect(toolMark(catalog, { name: 'slugify', source: 'code' }).icon).toBe('square-code')
    expect(toolMark(catalog, { name: 'echo', source: 'mcp' })).toEqual({ icon: 'plug', family: 'mcp' })
  })

  it('is a wrench while nothing is known', () => {
    expect(toolMark(catalog, { name: 'slugify' }).icon).toBe('wrench')
    expect(toolMark(undefined, { name: 'sql.execute' }).icon).toBe('wrench')
  })

  it('names a policy as the palette does', () => {
    expect(policyLabel(catalog, 'approval')).toBe('Ask first')
    expect(policyLabel(catalog, 'unheard')).toBe('unheard')
  })
})

describe('the source of a call is said in words', () => {
  it.each([
    ['a tool of the product', 'builtin', 'sql.execute', 'Built in'],
    ['a tool of a server, which is named', 'mcp', 'docs.search', 'MCP server “docs”'],
    ['a code tool', 'code', 'slugify', 'Code tool'],
    ['a source that the catalog does not know', 'skills', 'skill.load', 'skills'],
  ])('%s', (_, source, name, words) => {
    expect(sourceWords(catalog, { name, source })).toBe(words)
  })

  it('also when the agent calls the tool by another name', () => {
    const call = { name: 'find', scopeName: 'docs.search', source: 'mcp' }
    expect(sourceWords(catalog, call)).toBe('MCP server “docs”')
  })
})
