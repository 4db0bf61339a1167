import { describe, expect, it } from 'vitest'
import type { Catalog } from '#lib/spec/catalog'
import type { NodeKind } from '#lib/spec/kind'
import { findParts, paletteSections } from './palette-items'

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
      kind: 'tool:code',
      label: 'Code tool',
      help: 'A tool of your own',
      group: 'Code',
      icon: 'code',
      family: 'tool',
      place: { at: 'list', key: 'tools' },
      use: 'code',
      out: 'tool',
      in: [],
      schema: {},
      initial: {},
      scope: { name: 'name' },
    },
    {
      kind: 'policy:steps',
      label: 'Step limit',
      help: 'Limits how long a run may be',
      keywords: ['maximum', 'block'],
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
      group: 'Data',
      description: 'Runs one statement',
      icon: 'database',
      risk: 'read',
      effect: 'read',
      timeoutSeconds: 30,
      parameters: {},
    },
  ],
}

const labelsIn = (query: string) =>
  findParts(paletteSections(catalog), query).sections.flatMap((each) => each.items.map((item) => item.label))

describe('the palette', () => {
  it('groups tools by what they are for, with one heading for groups of one, and always has the note', () => {
    expect(paletteSections(catalog).map((each) => each.label)).toEqual([
      'Core',
      'Tools',
      'Other tools',
      'Policies',
      'On the canvas',
    ])
  })

  it('adds a tool as an entry of its toolkit that offers this one, under its label and its name', () => {
    const [tool] = paletteSections(catalog)[1]?.items ?? []
    expect(tool).toMatchObject({
      label: 'Run SQL',
      name: 'sql.execute',
      part: { kind: 'tool:builtin', config: { tools: ['sql.execute'] } },
    })
  })

  it('shows at most eight tools above the policies, folds the other groups, and lists those last', () => {
    const [first] = catalog.tools
    if (first === undefined) throw new Error('a tool')
    const some = (group: string, length: number) =>
      Array.from({ length }, (_, n) => ({ ...first, name: `${group}.${n}`, group }))
    const tools = [...some('Files', 9), ...some('Math', 4), ...some('Mail', 3), ...some('Time', 2), first]
    const sections = paletteSections({ ...catalog, tools })
    expect(sections.map(({ label, items, folds }) => [label, items.length, folds]).slice(1, -2)).toEqual([
      ['Tools', 2, false],
      ['Math', 4, false],
      ['Time', 2, false],
      ['Files', 9, true],
      ['Mail', 3, true],
      ['Other tools', 1, true],
    ])
  })

  it.each([
    ['sql', ['Run SQL']],
    ['sql.execute', ['Run SQL']],
    ['maximum', ['Step limit']],
    ['block', ['Step limit']],
    ['policies limits', ['Step limit']],
    ['data', ['Run SQL']],
  ])('finds by label, name, keyword, help, group or section: %s', (query, labels) => {
    expect(labelsIn(query)).toEqual(labels)
  })

  it('S4-42 lists the skills of the server, to be added as cards that have the skill chosen', () => {
    const skill: NodeKind = {
      kind: 'skill',
      label: 'Skill',
      help: 'Instructions',
      icon: 'graduation-cap',
      family: 'memory',
      place: { at: 'list', key: 'skills' },
      out: 'skill',
      in: [],
      schema: {},
      initial: {},
    }
    const hash = `sha256:${'a'.repeat(64)}`
    const notes = { name: 'meeting-notes', description: 'Writes \u202Eminutes.', hash }
    const has = { ...catalog, kinds: [...catalog.kinds, skill] }
    const sections = paletteSections(has, [notes])
    expect(sections.map(({ label }) => label).slice(-3)).toEqual([
      'Context and output',
      'Skills',
      'On the canvas',
    ])
    const { sections: found } = findParts(sections, 'minutes')
    expect(found).toMatchObject([
      {
        label: 'Skills',
        items: [{ label: 'meeting-notes', part: { kind: 'skill', config: { name: 'meeting-notes', hash } } }],
      },
    ])
    expect(found[0]?.items[0]?.help).not.toContain('\u202E')
    expect(paletteSections(has).map(({ label }) => label)).not.toContain('Skills')
    const many = Array.from({ length: 9 }, (_, at) => ({ ...notes, name: `skill-${at}` }))
    expect(paletteSections(has, many).find(({ label }) => label === 'Skills')?.folds).toBe(true)
  })

  it('S0-08 lists heavier tools first, and leaves out those that are not visible', () => {
    const [first] = catalog.tools
    if (first === undefined) throw new Error('a tool')
    const named = (name: string, more: object) => ({ ...first, name, ...more })
    const tools = [
      named('a', { weight: 50 }),
      named('b', {}),
      named('c', { visible: false }),
      named('d', { weight: 200 }),
    ]
    const data = paletteSections({ ...catalog, tools }).find(({ label }) => label === 'Data')
    expect(data?.items.map(({ name }) => name)).toEqual(['d', 'b', 'a'])
  })

  it('shows all sections while nothing is typed', () => {
    const all = paletteSections(catalog)
    expect(findParts(all, '  ')).toEqual({ sections: all, isNearest: false })
  })

  it('shows the nearest parts and the code tool when nothing matches', () => {
    expect(findParts(paletteSections(catalog), 'maxmum!').isNearest).toBe(true)
    expect(labelsIn('maxmum!')).toEqual(['Step limit', 'Code tool'])
    expect(labelsIn('xyzzy')).toEqual(['Code tool'])
  })
})
