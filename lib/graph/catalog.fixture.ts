/** A small catalog for tests, with every form of port and scope, composed like the real one. */
import { z } from 'zod'
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import {
  agentKeys,
  type ConfigParts,
  configSchema,
  glob,
  modelSchema,
  output,
  policyEntrySchema,
  protocolSchema,
  toolEntrySchema,
} from '#lib/spec/config'
import { group } from '#lib/spec/group'
import { jsonObject, toJsonSchema } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import type { ModelClient, Provider } from '#lib/spec/model'
import type { Policy } from '#lib/spec/policy'
import type { Codec, Protocol, ResultPlacement } from '#lib/spec/protocol'
import { skill } from '#lib/spec/skill'
import type { Scope } from '#lib/spec/tool-scope'
import type { Toolkit } from '#lib/spec/toolkit'

const always = { always: true }

function unused(): never {
  throw new Error('the catalog of the tests runs nothing')
}

function toolkit(id: string, label: string, scope: Scope, settings: z.ZodObject): Toolkit {
  return { id, label, scope, settings, help: '', icon: 'box', family: 'tool', open: unused }
}

function policy(
  id: string,
  settings: z.ZodObject,
  more: { scoped?: boolean; lastWins?: boolean } = {},
): Policy {
  return { id, label: id, help: '', icon: 'shield', settings, scoped: false, ...more }
}

function provider(id: string, settings: z.ZodObject): Provider {
  return { id, label: id, help: '', settings, connect: (): ModelClient => unused() }
}

function protocol(id: string, placements: ResultPlacement[]): Protocol {
  return { id, label: id, help: '', placements, open: (): Codec => unused() }
}

const globs = z.array(glob).default([]).meta({ format: 'globs' })

export const parts: ConfigParts = {
  toolkits: [
    toolkit(
      'builtin',
      'Built-in tools',
      { list: 'tools' },
      z.strictObject({ tools: z.array(glob).default([]) }),
    ),
    toolkit(
      'mcp',
      'MCP server',
      { prefix: 'server', list: 'enable' },
      z.strictObject({ server: z.string().min(1), enable: z.array(z.string().min(1)).default([]) }),
    ),
    toolkit(
      'http',
      'HTTP tool',
      { name: 'name' },
      z.strictObject({
        name: z.string().min(1),
        method: z.enum(['GET', 'POST']).default('GET'),
        parameters: z.record(z.string(), z.json()).default({ type: 'object' }),
      }),
    ),
    {
      ...toolkit(
        'code',
        'Code',
        { name: 'name' },
        z.strictObject({
          name: z.string().min(1),
          language: z.enum(['javascript']).default('javascript'),
          parameters: jsonObject.default({ type: 'object' }).meta({ format: 'parameters' }),
          source: z.string().min(1),
        }),
      ),
      toolClass: { risk: 'write', effect: 'effect', canOnlyRead: true },
    },
  ],
  policies: [
    policy('skills', z.strictObject({ allow: globs, deny: globs })),
    policy('steps', z.strictObject({ max: z.int().min(1).default(10) })),
    policy('results', z.strictObject({ maxChars: z.int().min(1).default(10_000) }), { scoped: true }),
    policy(
      'timeout',
      z.strictObject({
        seconds: z.number().positive().default(30).meta({ title: 'Time limit', unit: 's' }),
        // A default inside a default: children are left out first.
        wait: z
          .strictObject({ first: z.int().default(1), last: z.int().default(2) })
          .default({ first: 1, last: 2 }),
      }),
      { scoped: true },
    ),
    policy('budget', z.strictObject({ tokens: z.int().optional(), calls: z.int().optional() }), {
      scoped: true,
    }),
    policy('approval', z.strictObject({}), { scoped: true }),
    policy(
      'tool-choice',
      z.strictObject({
        choice: z
          .union([
            z.enum(['auto', 'none']),
            z.strictObject({ tool: z.string().min(1).meta({ format: 'tool' }) }),
          ])
          .default('auto'),
      }),
      { lastWins: true },
    ),
    policy(
      'execution',
      z.strictObject({ strategy: z.enum(['sequential', 'parallel']).default('sequential') }),
      {
        lastWins: true,
      },
    ),
  ],
  providers: [
    provider(
      'scripted',
      z.strictObject({
        name: z.enum(['demo', 'script']).default('demo').meta(always),
        turns: z.array(z.record(z.string(), z.json())).optional(),
        stream: z.boolean().default(true),
      }),
    ),
    provider(
      'other',
      z.strictObject({ name: z.string().min(1).meta(always), temperature: z.number().optional() }),
    ),
  ],
  protocols: [protocol('native', ['tool_message']), protocol('xml', ['user_message', 'inline'])],
}

export const agentConfig = configSchema(parts)

function tool(name: string): CatalogTool {
  return {
    name,
    use: 'builtin',
    label: name,
    description: name,
    icon: 'wrench',
    risk: 'read',
    effect: 'read',
    timeoutSeconds: 30,
    parameters: { type: 'object', properties: { database: { type: 'string' } } },
  }
}

export const builtinNames = [
  'schema.list_tables',
  'schema.list_columns',
  'sql.execute',
  'math.calculate',
  'time.now',
]

const toolKinds = parts.toolkits.map(
  (each): NodeKind => ({
    kind: `tool:${each.id}`,
    label: each.label,
    help: '',
    icon: each.icon,
    family: each.family,
    place: { at: 'list', key: 'tools' },
    use: each.id,
    out: 'tool',
    in: [{ name: 'policies', accepts: 'policy', many: true }],
    schema: toJsonSchema(toolEntrySchema(each).omit({ use: true })),
    initial: {},
    scope: each.scope,
    ...(each.toolClass && { toolClass: each.toolClass }),
  }),
)

const policyKinds = parts.policies.map(
  (each): NodeKind => ({
    kind: `policy:${each.id}`,
    label: each.label,
    help: '',
    icon: each.icon,
    family: 'policy',
    place: { at: 'list', key: 'policies' },
    use: each.id,
    out: 'policy',
    in: [],
    schema: toJsonSchema(policyEntrySchema(each).omit({ use: true })),
    initial: {},
    scoped: each.scoped,
    ...(each.lastWins === undefined ? {} : { lastWins: each.lastWins }),
  }),
)

const [firstProvider, ...otherProviders] = parts.providers.map(modelSchema)
if (firstProvider === undefined) throw new Error('the catalog of the tests has a provider')
const [firstProtocol, ...otherProtocols] = parts.protocols.map(protocolSchema)
if (firstProtocol === undefined) throw new Error('the catalog of the tests has a protocol')

export const catalog: Catalog = {
  version: '0.0.0',
  kinds: [
    {
      kind: 'agent',
      label: 'Agent',
      help: '',
      icon: 'bot',
      family: 'agent',
      place: { at: 'root' },
      in: [
        { name: 'model', accepts: 'model', many: false },
        { name: 'protocol', accepts: 'protocol', many: false },
        { name: 'tools', accepts: 'tool', many: true },
        { name: 'policies', accepts: 'policy', many: true },
        { name: 'groups', accepts: 'group', many: true },
        { name: 'skills', accepts: 'skill', many: true },
      ],
      out: 'output',
      schema: toJsonSchema(z.strictObject(agentKeys)),
      initial: { name: 'new-agent' },
    },
    {
      kind: 'model',
      label: 'Model',
      help: '',
      icon: 'cpu',
      family: 'model',
      place: { at: 'object', key: 'model' },
      out: 'model',
      in: [],
      schema: toJsonSchema(z.discriminatedUnion('provider', [firstProvider, ...otherProviders])),
      initial: { provider: 'scripted', name: 'demo' },
    },
    {
      kind: 'protocol',
      label: 'Protocol',
      help: '',
      icon: 'braces',
      family: 'model',
      place: { at: 'object', key: 'protocol' },
      out: 'protocol',
      in: [],
      schema: toJsonSchema(z.discriminatedUnion('format', [firstProtocol, ...otherProtocols])),
      initial: {},
    },
    ...toolKinds,
    ...policyKinds,
    {
      kind: 'group',
      label: 'Tool group',
      help: '',
      icon: 'boxes',
      family: 'tool',
      place: { at: 'list', key: 'groups' },
      out: 'group',
      in: [{ name: 'tools', accepts: 'tool', many: true }],
      schema: toJsonSchema(group),
      initial: { name: 'more-tools' },
    },
    {
      kind: 'skill',
      label: 'Skill',
      help: '',
      icon: 'graduation-cap',
      family: 'memory',
      place: { at: 'list', key: 'skills' },
      out: 'skill',
      in: [],
      schema: toJsonSchema(skill),
      initial: {},
    },
    {
      kind: 'output',
      label: 'Output',
      help: '',
      icon: 'braces',
      family: 'output',
      place: { at: 'object', key: 'output' },
      in: [{ name: 'output', accepts: 'output', many: false }],
      schema: toJsonSchema(output),
      initial: { schema: { type: 'object' } },
    },
  ],
  tools: builtinNames.map(tool),
  providers: parts.providers.map(({ id, label, help }) => ({ id, label, help })),
  schema: toJsonSchema(agentConfig),
}
