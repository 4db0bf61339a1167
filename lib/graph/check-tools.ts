/**
 * Checks tool entries: globs without matches, duplicate tools, presets without arguments, impossible classes.
 */
import type { CatalogTool } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import { globMatcher, matchesAny } from '#lib/spec/glob'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, isParameters, type JsonSchema } from '#lib/spec/json'
import type { NodeKind } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'
import { chosenClasses, classFaults, givenClass, listFirstNames } from '#lib/spec/tool-class'
import { onDuplicate as onDuplicates, settleNames } from '#lib/spec/tool-names'
import { bothWaysWords } from '#lib/spec/tool-scope'
import { parametersKey } from './check-parameters'
import { isWithinWeight } from './check-weight'
import type { Drawing } from './drawing'
import { textsOf } from './equal'
import { kindOf, nameOf, toolOf, toolsOf } from './kinds'
import { globsOf } from './scope'
import { problemsOf } from './validate'

interface Entry {
  readonly node: GraphNode
  readonly kind: NodeKind
  readonly path: string
  readonly globs: readonly string[]
  /** The tools it offers, as far as known before a run: names from the catalog, otherwise its own globs. */
  readonly names: readonly string[]
  /** The catalog's tools of its toolkit; undefined when they are known only at run time. */
  readonly known: readonly CatalogTool[] | undefined
}

export function checkTools(drawing: Drawing): Diagnostic[] {
  const entries = drawing.toolEntries.flatMap((node) => entryOf(drawing, node))
  return [
    ...entries.flatMap(checkNames),
    ...(isWithinWeight(drawing) ? entries.flatMap(checkGlobs) : []),
    ...checkTwice(drawing, entries),
    ...entries.flatMap((entry) => checkPreset(drawing, entry)),
    ...entries.flatMap((entry) => checkClass(drawing, entry)),
    ...entries.flatMap(checkPerTool),
    ...entries.flatMap(checkBothWays),
  ]
}

function entryOf(drawing: Drawing, node: GraphNode): Entry[] {
  const kind = kindOf(drawing.catalog, node.kind)
  if (kind === undefined) return []
  const globs = globsOf(node.config, kind)
  const known = toolsOf(drawing.catalog, kind.use ?? '')
  return [{ node, kind, globs, known, path: drawing.paths.get(node.id) ?? '', names: namesOf(globs, known) }]
}

function namesOf(globs: readonly string[], known: readonly CatalogTool[] | undefined): string[] {
  if (known === undefined) return [...globs]
  const plain = new Set(globs.filter((glob) => !glob.includes('*')))
  const stars = globs.filter((glob) => glob.includes('*'))
  return known.map((tool) => tool.name).filter((name) => plain.has(name) || matchesAny(stars, name))
}

function checkNames({ node, kind, path, globs }: Entry): Diagnostic[] {
  if (globs.length > 0 || kind.scope?.name !== undefined) return []
  const message = `${kind.label} names no tools yet, so it offers none. Choose some.`
  return [{ severity: 'info', code: 'tools_empty', message, node: node.id, path }]
}

function checkGlobs({ node, kind, path, known }: Entry): Diagnostic[] {
  const list = kind.scope?.list
  if (list === undefined || known === undefined) return []
  const inOrder = known.map((tool) => tool.name)
  const names = new Set(inOrder)
  return textsOf(node.config[list]).flatMap((glob, index): Diagnostic[] => {
    if (glob.includes('*') ? inOrder.some(globMatcher(glob)) : names.has(glob)) return []
    const message = `“${glob}” names no tool of this server. Choose another, or remove it.`
    const place = { node: node.id, path: `${path}/${list}/${index}` }
    return [{ severity: 'warning', code: 'glob_unmatched', message, ...place }]
  })
}

/** One diagnostic for each pair of entries that share names, at the later entry. */
function checkTwice(drawing: Drawing, entries: readonly Entry[]): Diagnostic[] {
  const tools = entries.flatMap((entry) => {
    const onDuplicate = onDuplicates.safeParse(entry.node.config.onDuplicate).data ?? 'raise'
    const renamed = isObject(entry.node.config.rename) ? entry.node.config.rename : {}
    return entry.names.map((own) => {
      const name = Object.hasOwn(renamed, own) ? renamed[own] : own
      return { entry, onDuplicate, name: typeof name === 'string' ? name : own }
    })
  })
  const shared = new Map<Entry, Map<Entry, string[]>>()
  for (const [index, settled] of settleNames(tools).entries()) {
    const tool = tools[index]
    const owner = settled.is === 'clash' ? tools[settled.with]?.entry : undefined
    if (tool === undefined || owner === undefined) continue
    const owners = shared.get(tool.entry) ?? new Map<Entry, string[]>()
    shared.set(tool.entry, owners)
    addTo(owners, owner, tool.name)
  }
  return [...shared].flatMap(([entry, owners]) =>
    [...owners].map(([owner, names]) => twiceIn(drawing, { entry, owner, names })),
  )
}

function twiceIn(
  { catalog }: Drawing,
  { entry, owner, names }: { entry: Entry; owner: Entry; names: readonly string[] },
): Diagnostic {
  const place = { severity: 'error' as const, code: 'tool_twice', node: entry.node.id, path: entry.path }
  const list = `${listFirstNames(names)} ${names.length === 1 ? 'is' : 'are'}`
  if (owner === entry)
    return { ...place, message: `${list} the name of two tools of this entry. Rename one of them.` }
  const other = `${nameOf(catalog, owner.node)} (${owner.path})`
  const message = `${list} offered by ${other} already. A tool can be offered only once, so remove it from one of the two.`
  return { ...place, message }
}

/** Settings by tool name, for tools that the entry does not offer, have no effect. */
function checkPerTool({ node, kind, path, names, known }: Entry): Diagnostic[] {
  if (known === undefined && kind.scope?.name === undefined) return []
  const offered = new Set(names)
  const keys = Object.entries(kind.schema.properties ?? {}).filter(([, each]) => each.format === 'per-tool')
  return keys.flatMap(([key, { title = key }]) => {
    const given = node.config[key]
    return Object.keys(isObject(given) ? given : {}).flatMap((name): Diagnostic[] => {
      if (offered.has(name)) return []
      const message = `“${title}” has a value for “${name}”, which this entry does not offer. Add the tool, or remove the value.`
      const place = { node: node.id, path: `${path}/${key}/${name}` }
      return [{ severity: 'warning', code: 'setting_unmatched', message, ...place }]
    })
  })
}

function checkPreset(drawing: Drawing, { node, kind, path, names, known }: Entry): Diagnostic[] {
  const key = Object.entries(kind.schema.properties ?? {}).find(([, each]) => each.format === 'preset')?.[0]
  const preset = key === undefined ? undefined : node.config[key]
  // What an entry without a tool of its own offers is known only at run time.
  if (!isObject(preset) || (known === undefined && kind.scope?.name === undefined)) return []
  const offered = new Set(names)
  return Object.entries(preset).flatMap(([name, args]): Diagnostic[] => {
    const place = { node: node.id, path: `${path}/${key}/${name}` }
    if (!offered.has(name)) {
      const message = `A preset is given for “${name}”, which this entry does not offer. Add the tool, or remove the preset.`
      return [{ severity: 'warning', code: 'preset_unmatched', message, ...place }]
    }
    const taken =
      known === undefined
        ? ownArguments(node, kind)
        : (toolOf(drawing.catalog, name)?.parameters.properties ?? {})
    if (!isObject(args) || taken === undefined) return []
    const strays = Object.keys(args).filter((each) => !Object.hasOwn(taken, each))
    const unfit = problemsOf(args, presetForm(taken))
    return [
      ...strays.map((stray) => ({
        severity: 'warning' as const,
        code: 'preset_unmatched',
        message: `“${name}” has no argument “${stray}”. Remove it from the preset.`,
        node: place.node,
        path: `${place.path}/${stray}`,
      })),
      // The model cannot see the argument, so it could never correct the call.
      ...unfit.map(({ path: at, message }) => ({
        severity: 'error' as const,
        code: 'preset_invalid',
        message,
        node: place.node,
        path: at === '' ? place.path : `${place.path}/${at}`,
      })),
    ]
  })
}

function checkBothWays({ node, kind, path }: Entry): Diagnostic[] {
  const message = kind.scope && bothWaysWords(kind.scope, node.config)
  if (message === undefined) return []
  const at = `${path}/${kind.scope?.without}`
  return [{ severity: 'error', code: 'tool_both_ways', message, node: node.id, path: at }]
}

/** A class lower than the tools' own would let them escape every policy that relies on it. */
function checkClass({ catalog }: Drawing, { node, kind, path, names }: Entry): Diagnostic[] {
  const given = givenClass(node.config)
  if (given.risk === undefined && given.effect === undefined) return []
  const chosen = kind.classChoice && chosenClasses(kind.classChoice, node.config)
  const tools = names.flatMap((name, index) => {
    const toolClass = kind.toolClass ?? chosen?.[index] ?? toolOf(catalog, name)
    return toolClass === undefined ? [] : [{ ...toolClass, name }]
  })
  return classFaults(tools, given).map(({ key, code, message }): Diagnostic => {
    return { severity: 'error', code, message, node: node.id, path: `${path}/${key}` }
  })
}

/** The parameters of an entry's one tool, from the entry itself; undefined when they cannot be read. */
function ownArguments(node: GraphNode, kind: NodeKind): Record<string, JsonSchema> | undefined {
  const key = parametersKey(kind)
  const schema = key === undefined ? undefined : (node.config[key] ?? kind.schema.properties?.[key]?.default)
  if (!isObject(schema) || !isParameters(schema)) return undefined
  return (schema.properties ?? {}) as Record<string, JsonSchema> // cast: as far as the form of such a schema was checked
}

const presetForms = new WeakMap<object, JsonSchema>()

/** A preset sets some of the arguments: each must fit the tool's schema, none is required. */
function presetForm(properties: Record<string, JsonSchema>): JsonSchema {
  const known = presetForms.get(properties)
  if (known !== undefined) return known
  const form: JsonSchema = { type: 'object', properties }
  presetForms.set(properties, form)
  return form
}
