import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Catalog } from '#lib/spec/catalog'
import { toJsonSchema } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { describeNode } from './describe'

const kind = (given: Partial<NodeKind> & Pick<NodeKind, 'kind' | 'label' | 'family'>): NodeKind => ({
  help: '',
  icon: 'box',
  place: { at: 'list', key: 'x' },
  in: [],
  schema: {},
  initial: {},
  ...given,
})
const tool = (name: string, risk: 'read' | 'write') => ({
  name,
  use: 'builtin',
  label: name,
  description: '',
  icon: `icon-of-${name}`,
  risk,
  effect: 'read' as const,
  timeoutSeconds: 30,
  parameters: {},
})
const steps = z.strictObject({
  max: z.int().default(10).meta({ title: 'Most steps', unit: 'steps' }),
  onLimit: z.enum(['summarize', 'return_partial']).default('summarize'),
})
const model = z.discriminatedUnion('provider', [
  z.strictObject({ provider: z.literal('scripted'), name: z.string(), paceMs: z.int().default(0) }),
])
const budget = z.strictObject({
  tokens: z.int().optional().meta({ title: 'Tokens', unit: 'tokens' }),
  usd: z.number().optional().meta({ title: 'Cost', unit: '$' }),
})
const code = z.strictObject({ name: z.string(), language: z.enum(['javascript']).default('javascript') })
const server = z.strictObject({
  server: z.string(),
  enable: z.array(z.string()).default([]).meta({ title: 'Tools' }),
})
const choice = z.strictObject({
  choice: z.union([z.enum(['auto', 'none']), z.strictObject({ tool: z.string() })]).default('auto'),
})
const catalog: Catalog = {
  version: '0',
  providers: [],
  schema: {},
  tools: [tool('sql.execute', 'read'), tool('files.create', 'write')],
  kinds: [
    kind({ kind: 'agent', label: 'Agent', family: 'agent' }),
    kind({ kind: 'model', label: 'Model', family: 'model', out: 'model', schema: toJsonSchema(model) }),
    kind({
      kind: 'tool:builtin',
      label: 'Built-in tools',
      family: 'tool',
      use: 'builtin',
      scope: { list: 'tools' },
    }),
    kind({
      kind: 'tool:mcp',
      label: 'MCP server',
      family: 'mcp',
      scope: { prefix: 'server', list: 'enable', without: 'disable' },
      schema: toJsonSchema(server),
    }),
    kind({ kind: 'policy:budget', label: 'Budget', family: 'policy', schema: toJsonSchema(budget) }),
    kind({
      kind: 'policy:tool-choice',
      label: 'Tool choice',
      family: 'policy',
      schema: toJsonSchema(choice),
    }),
    kind({
      kind: 'tool:code',
      label: 'Code',
      family: 'tool',
      schema: toJsonSchema(code),
      scope: { name: 'name' },
    }),
    kind({ kind: 'policy:steps', label: 'Steps', family: 'policy', schema: toJsonSchema(steps) }),
  ],
}
const told = (name: string, config = {}) => {
  const { title, caption } = describeNode({ id: 'n', kind: name, config }, catalog)
  return `${title} | ${caption}`
}

describe('what a card says', () => {
  it('calls the agent by its title, else by its name', () => {
    expect(told('agent', { name: 'retail', title: 'Retail analyst' })).toBe('Retail analyst | Agent')
    expect(told('agent', { name: 'retail', title: '' })).toBe('retail | Agent')
  })

  it('says a model by name and provider, without what nobody set', () => {
    expect(told('model', { provider: 'scripted', name: 'demo' })).toBe('demo | Model, scripted')
  })

  it('says a model of an endpoint by where it is asked, and a provider by its label', () => {
    const config = { provider: 'openai-compatible', endpoint: 'ollama', name: 'qwen3:8b' }
    expect(told('model', config)).toBe('qwen3:8b | Model, ollama')
    const labelled = { ...catalog, providers: [{ id: 'openai', label: 'OpenAI', help: '' }] }
    const node = { id: 'n', kind: 'model', config: { provider: 'openai', name: 'gpt-5-mini' } }
    expect(describeNode(node, labelled).caption).toBe('Model, OpenAI')
  })

  it('says money as money, large figures in groups, and a language by its name', () => {
    expect(told('policy:budget', { tokens: 200_000, usd: 0.5 })).toBe(
      'Budget | Policy, 200,000 tokens, $0.50',
    )
    expect(told('policy:budget')).toBe('Budget | Policy')
    expect(told('tool:code', { name: 'slugify', language: 'javascript' })).toBe('slugify | Tool, JavaScript')
    expect(told('tool:code', { name: 'slugify' })).toBe('slugify | Tool, JavaScript')
    expect(told('policy:tool-choice')).toBe('Tool choice | Policy, auto')
    expect(told('policy:tool-choice', { choice: { tool: 'finish' } })).toBe('Tool choice | Policy, finish')
  })

  it('says what tools an entry offers, how risky they are, and what is preset', () => {
    const preset = { 'sql.execute': { database: 'retail' } }
    expect(told('tool:builtin', { tools: ['sql.execute'], preset })).toBe('sql.execute | Tool, read, retail')
    expect(told('tool:builtin', { tools: ['*'] })).toBe('* | 2 tools, write')
    expect(told('tool:builtin', { tools: ['*'], risk: 'admin' })).toBe('* | 2 tools, admin')
    expect(told('tool:builtin', { tools: ['files.create'], risk: 'read' })).toBe('files.create | Tool, write')
    expect(told('tool:builtin', { tools: [] })).toBe('Built-in tools | Tool')
  })

  it('sums up an entry of several tools, and keeps their names', () => {
    const node = { id: 'n', kind: 'tool:builtin', config: { tools: ['sql.execute', 'files.create'] } }
    expect(describeNode(node, catalog)).toMatchObject({
      title: '2 tools: sql, files',
      names: 'sql.execute, files.create',
      caption: 'Tools, write',
    })
  })

  it('calls a server by its name, however many of its tools are chosen', () => {
    const config = { server: 'weather', enable: ['forecast', 'radar'] }
    expect(told('tool:mcp', config)).toBe('weather | MCP server, tools forecast, radar')
    expect(told('tool:mcp', { server: 'weather' })).toBe('weather | MCP server')
  })

  it('calls a part by the title that a person gave it, and says below what it is', () => {
    const titled = (kind: string, config = {}) => {
      const told = describeNode({ id: 'n', kind, config, title: 'Ask before writing' }, catalog)
      return `${told.title} | ${told.caption}`
    }
    expect(titled('policy:steps', { max: 4 })).toBe('Ask before writing | Steps, 4 steps')
    expect(titled('tool:builtin', { tools: ['sql.execute'] })).toBe('Ask before writing | sql.execute, read')
  })

  it('shows the icon of the one tool that an entry offers', () => {
    expect(
      describeNode({ id: 'n', kind: 'tool:builtin', config: { tools: ['sql.execute'] } }, catalog).icon,
    ).toBe('icon-of-sql.execute')
  })

  it('says what is set on a policy, else the first thing it holds to', () => {
    expect(told('policy:steps')).toBe('Steps | Policy, 10 steps')
    expect(told('policy:steps', { max: 4 })).toBe('Steps | Policy, 4 steps')
    expect(told('policy:steps', { max: 1 })).toBe('Steps | Policy, 1 step')
    expect(told('policy:steps', { max: 4, onLimit: 'return_partial' })).toBe(
      'Steps | Policy, 4 steps, return partial',
    )
  })

  it('does not break on a part it does not know', () => {
    expect(told('tool:gone', { name: 'x' })).toBe('tool:gone | Not known here')
  })

  it('calls an API by its own name, with the number of its operations and its host', () => {
    const settings = z.strictObject({
      name: z.string(),
      baseUrl: z.string().meta({ format: 'openapi-address' }),
      operations: z.array(z.strictObject({ name: z.string() })),
    })
    const apis = kind({
      ...{ kind: 'tool:openapi', label: 'API (OpenAPI)', family: 'tool', schema: toJsonSchema(settings) },
      scope: { prefix: 'name', list: 'operations', itemName: 'name' },
    })
    const known: Catalog = { version: '', kinds: [apis], tools: [], providers: [], schema: {} }
    const baseUrl = 'https://api.example.com/v1'
    const config = { name: 'pets', baseUrl, operations: [{ name: 'getPet' }, { name: 'addPet' }] }
    expect(describeNode({ id: 'a', kind: 'tool:openapi', config }, known)).toMatchObject({
      title: 'pets',
      caption: '2 operations, api.example.com',
    })
  })
})
