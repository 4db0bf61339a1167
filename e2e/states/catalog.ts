/**
 * A catalog with parts of later versions, as their server would send it: MCP servers, groups, approval,
 * memory, output.
 */
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import type { JsonSchema } from '#lib/spec/json'
import type { InPort, NodeKind } from '#lib/spec/kind'

const text: JsonSchema = { type: 'string' }

function tool(
  name: string,
  icon: string,
  risk: CatalogTool['risk'],
  more: Partial<CatalogTool> = {},
): CatalogTool {
  return {
    name,
    use: 'builtin',
    label: name,
    description: `${name} of the recorded run.`,
    icon,
    risk,
    effect: risk === 'read' ? 'read' : 'effect',
    timeoutSeconds: 30,
    parameters: { type: 'object', properties: { query: text } },
    ...more,
  }
}

const policies: InPort = { name: 'policies', accepts: 'policy', many: true }
const globs: JsonSchema = { type: 'array', items: text, format: 'globs', title: 'Tools' }

function kind(
  base: Pick<NodeKind, 'kind' | 'label' | 'icon' | 'family' | 'place'> & Partial<NodeKind>,
): NodeKind {
  return {
    help: `${base.label} of the recorded run.`,
    in: [],
    initial: {},
    schema: { type: 'object' },
    ...base,
  }
}

function policy(use: string, label: string, icon: string, properties: Record<string, JsonSchema>): NodeKind {
  return kind({
    kind: `policy:${use}`,
    use,
    label,
    icon,
    family: 'policy',
    place: { at: 'list', key: 'policies' },
    out: 'policy',
    scoped: use === 'approval',
    schema: { type: 'object', properties: { title: text, ...properties } },
  })
}

export const catalog: Catalog = {
  version: '0',
  schema: {},
  providers: [{ id: 'openai', label: 'OpenAI', help: '' }],
  tools: [
    tool('schema.list_tables', 'table-2', 'read'),
    tool('schema.list_columns', 'columns-3', 'read'),
    tool('sql.execute', 'database', 'read'),
    tool('files.create', 'file-plus', 'write', {
      parameters: { type: 'object', properties: { path: text, content: text } },
    }),
    tool('everything.echo', 'plug', 'read', { use: 'mcp' }),
  ],
  kinds: [
    kind({
      kind: 'agent',
      label: 'Agent',
      icon: 'bot',
      family: 'agent',
      place: { at: 'root' },
      in: [
        { name: 'model', accepts: 'model', many: false },
        { name: 'tools', accepts: 'tool', many: true },
        { name: 'policies', accepts: 'policy', many: true },
        { name: 'memory', accepts: 'memory', many: false },
        { name: 'knowledge', accepts: 'knowledge', many: true },
      ],
      out: 'output',
      schema: { type: 'object', properties: { name: text, title: text, instructions: text } },
    }),
    kind({
      kind: 'model',
      label: 'Model',
      icon: 'cpu',
      family: 'model',
      place: { at: 'object', key: 'model' },
      out: 'model',
      schema: { type: 'object', properties: { provider: text, name: text } },
    }),
    kind({
      kind: 'tool:builtin',
      use: 'builtin',
      label: 'Built-in tools',
      icon: 'wrench',
      family: 'tool',
      place: { at: 'list', key: 'tools' },
      out: 'tool',
      in: [policies],
      scope: { list: 'tools' },
      schema: { type: 'object', properties: { tools: globs } },
    }),
    kind({
      kind: 'tool:mcp',
      use: 'mcp',
      label: 'MCP server',
      icon: 'plug',
      family: 'mcp',
      place: { at: 'list', key: 'tools' },
      out: 'tool',
      in: [policies],
      scope: { prefix: 'server', list: 'enable' },
      schema: { type: 'object', properties: { server: text, name: text, enable: globs } },
    }),
    kind({
      kind: 'group',
      label: 'Group',
      icon: 'layers',
      family: 'tool',
      place: { at: 'list', key: 'groups' },
      out: 'tool',
      in: [{ name: 'tools', accepts: 'tool', many: true }],
      schema: { type: 'object', properties: { name: text, active: { type: 'boolean' } } },
    }),
    policy('approval', 'Approval', 'hand', { timeoutSeconds: { type: 'number' }, onTimeout: text }),
    policy('steps', 'Step limit', 'list-ordered', { max: { type: 'integer' } }),
    kind({
      kind: 'memory',
      label: 'Memory',
      icon: 'history',
      family: 'memory',
      place: { at: 'object', key: 'memory' },
      out: 'memory',
    }),
    kind({
      kind: 'output',
      label: 'Structured answer',
      icon: 'braces',
      family: 'output',
      place: { at: 'object', key: 'output' },
      in: [{ name: 'output', accepts: 'output', many: false }],
    }),
  ],
}
