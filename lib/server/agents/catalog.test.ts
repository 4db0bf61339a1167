import { describe, expect, it } from 'vitest'
import { policies } from '#lib/policies'
import { createCatalog, publishedSchema, readConfig } from './catalog'

const minimal = { name: 'a' }

function findings(config: unknown): string[] {
  const read = readConfig(config)
  if (read.ok) return []
  return read.error.map((each) => `${each.code} ${each.path ?? ''}: ${each.message}`)
}

describe('the catalog', () => {
  const catalog = createCatalog('1.2.3')

  it('holds a node kind for every part, with ports and place', () => {
    const kinds = catalog.kinds.map((each) => each.kind)
    expect(kinds.slice(0, 4)).toEqual(['agent', 'model', 'protocol', 'tool:agent'])
    for (const use of ['skills', 'steps', 'results', 'timeout', 'execution'])
      expect(kinds).toContain(`policy:${use}`)
    const agent = catalog.kinds[0]
    expect(agent?.in.map((each) => each.name)).toEqual([
      'model',
      'protocol',
      'tools',
      'policies',
      'groups',
      'skills',
    ])
    expect(agent?.out).toBe('output')
    expect(catalog.kinds.find(({ kind }) => kind === 'output')?.in.map(({ accepts }) => accepts)).toEqual([
      'output',
    ])
    expect(catalog.kinds.find((each) => each.kind === 'tool:builtin')?.in.map((each) => each.name)).toEqual([
      'policies',
    ])
  })

  it('describes an entry without its use, keys in order, with what forms need', () => {
    const builtin = catalog.kinds.find((each) => each.kind === 'tool:builtin')
    expect(Object.keys(builtin?.schema.properties ?? {})).toEqual([
      'tools',
      'askFirst',
      'preset',
      'timeoutSeconds',
      'cache',
      'risk',
      'effect',
      'description',
      'rename',
      'example',
      'xml',
      'retry',
      'final',
      'background',
      'pick',
      'onDuplicate',
      'weight',
      'core',
      'visible',
    ])
    expect(builtin?.schema.properties?.tools).toMatchObject({ title: 'Tools', format: 'globs' })
    expect(builtin?.schema.properties?.timeoutSeconds).toMatchObject({ unit: 's' })
    const model = catalog.kinds.find((each) => each.kind === 'model')
    const offered = model?.schema.oneOf?.map(({ properties }) => properties?.provider)
    expect(offered).toContainEqual(expect.objectContaining({ const: 'scripted', always: true }))
  })

  it('gives every kind a label, a help, an icon and an initial config of known keys', () => {
    for (const kind of catalog.kinds) {
      expect(kind.label, kind.kind).not.toBe('')
      expect(kind.help, kind.kind).not.toBe('')
      expect(kind.icon, kind.kind).toMatch(/^[a-z0-9-]+$/)
      const shapes = kind.schema.oneOf ?? [kind.schema]
      const known = shapes.flatMap((each) => Object.keys(each.properties ?? {}))
      for (const key of Object.keys(kind.initial)) expect(known, kind.kind).toContain(key)
    }
  })

  it('drops nodes that make a valid config at once', () => {
    const entry = ({ use, initial }: (typeof catalog.kinds)[number]) => ({ use, ...initial })
    const of = (key: string) =>
      catalog.kinds.filter((each) => each.place.at === 'list' && each.place.key === key)
    const initial = (kind: string) => catalog.kinds.find((each) => each.kind === kind)?.initial
    const config = {
      ...initial('agent'),
      model: initial('model'),
      protocol: initial('protocol'),
      tools: of('tools').map(entry),
      policies: of('policies').map(entry),
      groups: of('groups').map(({ initial }) => ({ ...initial })),
      output: initial('output'),
    }
    expect(findings(config)).toEqual([])
  })

  it('is frozen plain data, the same for the same version', () => {
    expect(createCatalog('1.2.3')).toBe(catalog)
    expect(JSON.parse(JSON.stringify(catalog))).toEqual(catalog)
    expect(Object.isFrozen(catalog.kinds[0]?.schema)).toBe(true)
  })

  it('publishes the keys of a config in their order', () => {
    expect(Object.keys(publishedSchema().properties ?? {})).toEqual([
      '$schema',
      'version',
      'name',
      'title',
      'description',
      'instructions',
      'nextStepPrompt',
      'interruptReply',
      'model',
      'protocol',
      'tools',
      'policies',
      'groups',
      'skills',
      'output',
      'canvas',
    ])
  })
})

describe('reading a config', () => {
  it('fills in every default', () => {
    expect(readConfig(minimal)).toMatchObject({
      ok: true,
      value: { version: 1, instructions: '', tools: [], policies: [] },
    })
  })

  it.each([
    [{}, 'missing name: "name" is missing.'],
    [[], 'wrong_type : This must be an object, not a list.'],
    [{ ...minimal, colour: 1 }, 'unknown_key colour: Unknown key "colour".'],
    [{ ...minimal, title: 4 }, 'wrong_type title: This must be a text, not a number.'],
    [{ ...minimal, version: 2 }, 'invalid_value version: This must be 1, not 2.'],
    [
      { name: 'A b' },
      'invalid_value name: This must be lowercase letters, digits and single hyphens, as in "retail-analyst".',
    ],
    [
      { ...minimal, tools: [{ use: 'soap' }] },
      'unknown_part tools/0/use: There is no toolkit "soap"; there are: agent, builtin, code, http, knowledge, mcp, memory, openapi, plan.',
    ],
    [
      { ...minimal, policies: [{ use: 'nope' }] },
      `unknown_part policies/0/use: There is no policy "nope"; there are: ${policies.map(({ id }) => id).join(', ')}.`,
    ],
    [
      { ...minimal, model: { provider: 'nobody', name: 'x' } },
      'unknown_part model/provider: There is no provider "nobody"; there are: anthropic, openai, openai-compatible, openai-responses, scripted.',
    ],
    [
      { ...minimal, tools: [{}] },
      'missing tools/0/use: "use" is missing: "agent", "builtin", "code", "http", "knowledge", "mcp", "memory", "openapi" or "plan".',
    ],
    [{ ...minimal, tools: [{ use: 'builtin' }] }, 'missing tools/0/tools: "tools" is missing.'],
    [
      { ...minimal, tools: [{ use: 'builtin', tools: [] }] },
      'invalid_value tools/0/tools: This must be at least 1 item.',
    ],
    [
      { ...minimal, tools: [{ use: 'builtin', tools: ['a'], timeoutSeconds: '5' }] },
      'wrong_type tools/0/timeoutSeconds: This must be a number, not a text.',
    ],
    [
      { ...minimal, tools: [{ use: 'builtin', tools: ['a'], timeoutSeconds: 0 }] },
      'invalid_value tools/0/timeoutSeconds: This must be more than 0.',
    ],
    [
      { ...minimal, tools: [{ use: 'builtin', tools: ['a'], x: 0 }] },
      'unknown_key tools/0/x: Unknown key "x".',
    ],
    [
      { ...minimal, model: { provider: 'scripted', name: 'gpt' } },
      'invalid_value model/name: This must be "demo" or "script", not "gpt".',
    ],
    [
      { ...minimal, policies: [{ use: 'skills', appliesTo: ['x'] }] },
      'unknown_key policies/0/appliesTo: Unknown key "appliesTo".',
    ],
    [
      { ...minimal, canvas: { at: { nowhere: [0, 0] } } },
      'invalid_value canvas/at/nowhere: The name "nowhere" is not allowed here: it must be a path such as "agent" or "tools/0".',
    ],
  ])('%j is told as a sentence with its path', (config, sentence) => {
    expect(findings(config)).toContain(sentence)
  })

  it('tells each unknown key on its own', () => {
    expect(findings({ ...minimal, x: 1, y: 2 })).toEqual([
      'unknown_key x: Unknown key "x".',
      'unknown_key y: Unknown key "y".',
    ])
  })
})
