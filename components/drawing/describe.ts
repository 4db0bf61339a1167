/** What a card shows about its node: a name and a short description. Works from the catalog alone. */
import { classedTools, globsOf } from '#lib/graph/entry-tools'
import { kindOf, stemOf } from '#lib/graph/kinds'
import type { Catalog, CatalogTool } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { appliesToKey, type Family, type NodeKind } from '#lib/spec/kind'
import { lineOf } from '#lib/spec/line'
import { risk } from '#lib/spec/tool'
import { type WalledKind, walledKinds } from '#lib/spec/walls'
import { spanWords } from './span-words'

export interface Description {
  readonly title: string
  /** The names of all its tools when the title only sums them up, otherwise the title. */
  readonly names: string
  readonly caption: string
  readonly family: Family
  readonly icon: string
  /** The kind of foreign code that its one tool runs. */
  readonly walled?: WalledKind
}

const familyWords: Record<Exclude<Family, 'mcp'>, string> = {
  agent: 'Agent',
  model: 'Model',
  tool: 'Tool',
  policy: 'Policy',
  memory: 'Context',
  output: 'Output',
  note: 'Note',
}

export function describeNode(node: GraphNode, catalog: Catalog): Description {
  const kind = kindOf(catalog, node.kind)
  if (kind === undefined)
    return {
      title: node.title ?? node.kind,
      names: node.kind,
      caption: 'Not known here',
      family: 'note',
      icon: 'box',
    }
  const tools = classedTools(node, kind, catalog)
  const own = titleOf(node, kind)
  const icon = tools.length === 1 && tools[0] !== undefined ? tools[0].icon : kind.icon
  const caption = captionOf({ node, kind, tools, title: own, catalog })
  const walled = tools.length === 1 ? tools[0]?.walled : walledBySetting(node, kind)
  return {
    title: lineOf(node.title ?? summaryOf(node, kind, tools) ?? own),
    names: lineOf(own),
    caption: lineOf(node.title === undefined ? caption : captionUnder(own, caption, wordOf(kind))),
    family: kind.family,
    icon,
    ...(walled !== undefined && { walled }),
  }
}

/** The kind of code that a setting of the entry names. */
export function walledBySetting(
  { config }: GraphNode,
  { walledBy, schema }: NodeKind,
): WalledKind | undefined {
  if (walledBy === undefined) return undefined
  const value = config[walledBy] ?? schema.properties?.[walledBy]?.default
  return walledKinds.find((each) => each === value)
}

function titleOf(node: GraphNode, kind: NodeKind): string {
  for (const key of ['title', 'name']) {
    const value = node.config[key]
    if (typeof value === 'string' && value !== '') return value
  }
  const own = kind.scope?.name === undefined ? undefined : node.config[kind.scope.name]
  if (typeof own === 'string' && own !== '') return own
  // A server is shown by its own name, whichever of its tools are switched on.
  const server = kind.scope?.prefix === undefined ? undefined : node.config[kind.scope.prefix]
  if (typeof server === 'string' && server !== '') return server
  const globs = globsOf(node, kind)
  return globs !== undefined && globs.length > 0 ? globs.join(', ') : kind.label
}

/** `3 tools: schema, sql` for an entry that lists several. */
function summaryOf(node: GraphNode, kind: NodeKind, tools: readonly CatalogTool[]): string | undefined {
  const globs = globsOf(node, kind)
  // A server, or an entry with a name of its own, is called by its name, however many of its tools are chosen.
  const hasName = kind.scope?.prefix !== undefined || kind.scope?.itemName !== undefined
  if (globs === undefined || globs.length < 2 || hasName) return undefined
  const stems = new Set((tools.length > 0 ? tools.map(({ name }) => name) : globs).map(stemOfName))
  return `${tools.length > 0 ? tools.length : globs.length} tools: ${[...stems].join(', ')}`
}

function stemOfName(name: string): string {
  return name.split('.', 1)[0] ?? name
}

/** Below a title that a person chose, what the part is called by otherwise takes the place of its class. */
function captionUnder(own: string, caption: string, word: string): string {
  return caption.startsWith(word) ? `${own}${caption.slice(word.length)}` : `${own}, ${caption}`
}

function captionOf({
  node,
  kind,
  tools,
  title,
  catalog,
}: {
  node: GraphNode
  kind: NodeKind
  tools: readonly CatalogTool[]
  title: string
  catalog: Catalog
}): string {
  const word = wordOf(kind)
  if (kind.family === 'agent') return word
  if (kind.out === 'model') return [word, providerOf(node, catalog)].filter(Boolean).join(', ')
  if (kind.scope !== undefined && tools.length > 0) {
    const isCounted = summaryOf(node, kind, tools) !== undefined && node.title === undefined
    const count = tools.length === 1 ? word : isCounted ? 'Tools' : `${tools.length} tools`
    return [count, highestRisk(tools), ...presets(node)].join(', ')
  }
  const facts = factsOf(node, kind, title)
  const count = kind.scope?.itemName === undefined ? 0 : (globsOf(node, kind)?.length ?? 0)
  if (count > 0) return [`${count} ${count === 1 ? 'operation' : 'operations'}`, ...facts].join(', ')
  const start = word === title && facts.length > 0 ? [] : [word]
  return [...start, ...facts].join(', ')
}

/** The word "tool" means an entry with tools of its own; groups and servers use their own label. */
function wordOf(kind: NodeKind): string {
  if (
    kind.family === 'mcp' ||
    kind.out === 'skill' ||
    (kind.family === 'tool' && stemOf(kind.kind) !== 'tool')
  )
    return kind.label
  return familyWords[kind.family]
}

/** Where the model runs; an added endpoint is shown by its own name. */
function providerOf({ config: { provider, endpoint } }: GraphNode, catalog: Catalog): string {
  if (typeof endpoint === 'string' && endpoint !== '') return endpoint
  const known = catalog.providers.find((each) => each.id === provider)
  return known?.label ?? (typeof provider === 'string' ? provider : '')
}

function highestRisk(tools: readonly CatalogTool[]): string {
  return risk.options[Math.max(...tools.map((each) => risk.options.indexOf(each.risk)))] ?? 'read'
}

function presets(node: GraphNode): string[] {
  const preset = node.config.preset
  if (!isObject(preset)) return []
  return [...new Set(Object.values(preset).flatMap((each) => (isObject(each) ? Object.values(each) : [])))]
    .filter((each) => typeof each === 'string')
    .slice(0, 1)
}

/** The first two settings in words. For a policy or tool with no settings, the first default that applies. */
function factsOf(node: GraphNode, kind: NodeKind, title: string): string[] {
  // The tools in the scope are already in the title, except under the name of a server.
  const { scope } = kind
  const properties = Object.entries(propertiesOf(kind.schema, node.config)).filter(
    ([key]) => key !== scope?.list || scope?.prefix !== undefined,
  )
  const told = (read: (key: string, schema: JsonSchema) => JsonValue | undefined) =>
    properties
      .map(([key, schema]) => factOf(key, schema, read(key, schema)))
      .filter((fact): fact is string => fact !== undefined && fact !== '' && fact !== title)
  const set = told((key) => node.config[key]).slice(0, 2)
  const speaks = kind.family === 'policy' || kind.family === 'tool'
  return set.length > 0 || !speaks ? set : told((_, schema) => schema.default).slice(0, 1)
}

function factOf(key: string, schema: JsonSchema, value: JsonValue | undefined): string | undefined {
  const name = (schema.title ?? key).toLowerCase()
  if (key === appliesToKey) return strings(value).length > 0 ? strings(value).join(', ') : undefined
  if (typeof value === 'number') return amountOf(value, name, schema.unit)
  if (typeof value === 'string' && (schema.enum ?? schema.const ?? schema.anyOf) !== undefined)
    return properNames[value] ?? value.replaceAll('_', ' ')
  if ((schema.format === 'http-url' || schema.format === 'openapi-address') && typeof value === 'string')
    return URL.canParse(value) ? new URL(value).host : undefined
  // A schema is described by the properties it asks for.
  if (schema.format === 'schema' && isObject(value) && isObject(value.properties))
    return Object.keys(value.properties).join(', ')
  if (isObject(value) && Object.keys(value).length === 1 && schema.anyOf !== undefined)
    return Object.values(value).filter((each) => typeof each === 'string')[0]
  if (Array.isArray(value)) {
    const items = strings(value)
    return items.length > 0 ? `${name} ${items.join(', ')}` : undefined
  }
  return undefined
}

/** Display names of enum values that differ from the values themselves. */
const properNames: Readonly<Record<string, string>> = { javascript: 'JavaScript', python: 'Python' }

// Kept, because making one takes longer than formatting hundreds of numbers.
const dollars = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
const figures = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 })

function amountOf(value: number, name: string, unit: string | undefined): string {
  if (unit === '$') return `$${dollars.format(value)}`
  if (unit === 's') return spanWords(value)
  const figure = figures.format(value)
  if (unit === undefined) return `${name} ${figure}`
  return `${figure} ${value === 1 ? singular(unit) : unit}`
}

/** Units that are words are stored in the plural: steps, calls, tries. */
function singular(unit: string): string {
  return unit.replace(/ies$/, 'y').replace(/(?<=[a-z]{2})s$/, '')
}

/** A schema's properties. For a union, those of the branch whose constants match the value. */
export function propertiesOf(
  schema: JsonSchema,
  value: { [key: string]: JsonValue },
): Record<string, JsonSchema> {
  if (schema.properties !== undefined) return schema.properties
  const branches = schema.oneOf ?? schema.anyOf ?? []
  const fitting = branches.find((branch) =>
    Object.entries(branch.properties ?? {}).every(
      ([key, each]) => each.const === undefined || each.const === (value[key] ?? each.default),
    ),
  )
  return (fitting ?? branches[0])?.properties ?? {}
}

export function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
