import { describe, expect, it } from 'vitest'
import type { Catalog } from '#lib/spec/catalog'
import { paletteSections, searchSections } from './palette-items'

const catalog: Catalog = {
  version: '0',
  schema: {},
  providers: [],
  kinds: [
    {
      kind: 'agent',
      label: 'Agent',
      help: 'Who answers',
      icon: 'bot',
      family: 'agent',
      place: { at: 'root' },
      in: [],
      schema: {},
      initial: {},
    },
    {
      kind: 'tool:builtin',
      label: 'Built-in tools',
      help: 'Brought along',
      icon: 'wrench',
      family: 'tool',
      place: { at: 'list', key: 'tools' },
      use: 'builtin',
      out: 'tool',
      in: [],
      schema: {},
      initial: {},
      scope: { list: 'tools' },
    },
    {
      kind: 'policy:steps',
      label: 'Steps',
      help: 'Limits the steps',
      icon: 'footprints',
      family: 'policy',
      place: { at: 'list', key: 'policies' },
      use: 'steps',
      out: 'policy',
      in: [],
      schema: {},
      initial: {},
    },
  ],
  tools: [
    {
      name: 'sql.execute',
      use: 'builtin',
      label: 'Run SQL',
      description: 'Runs one statement',
      icon: 'database',
      risk: 'read',
      effect: 'read',
      timeoutSeconds: 30,
      parameters: {},
    },
  ],
}

describe('the palette', () => {
  it('groups what the catalog holds, and always has the note', () => {
    expect(paletteSections(catalog).map((each) => each.label)).toEqual([
      'Core',
      'Tools',
      'Toolkits',
      'Policies',
      'On the canvas',
    ])
  })

  it('adds a tool as an entry of its toolkit that offers this one', () => {
    const [tool] = paletteSections(catalog)[1]?.items ?? []
    expect(tool?.part).toEqual({ kind: 'tool:builtin', config: { tools: ['sql.execute'] } })
  })

  it('finds by every word, in name, help or section', () => {
    const all = paletteSections(catalog)
    expect(searchSections(all, 'sql').flatMap((each) => each.items.map((item) => item.label))).toEqual([
      'sql.execute',
    ])
    expect(
      searchSections(all, 'policies limits').flatMap((each) => each.items.map((item) => item.label)),
    ).toEqual(['Steps'])
    expect(searchSections(all, 'nothing like it')).toEqual([])
    expect(searchSections(all, '  ')).toBe(all)
  })
})
