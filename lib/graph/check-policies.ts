/** Checks how policies are wired, and whether their patterns match anything. */
import type { Diagnostic } from '#lib/spec/errors'
import { globMatcher, matchesAny } from '#lib/spec/glob'
import type { GraphNode } from '#lib/spec/graph'
import { isObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { appliesToKey, type NodeKind } from '#lib/spec/kind'
import { isWithinWeight } from './check-weight'
import { type Drawing, targetsOf } from './drawing'
import { textsOf } from './equal'
import { kindOf, nameOf, toolNames, toolsOf } from './kinds'
import { globsOf, typedGlobs } from './scope'

export function checkPolicies(drawing: Drawing): Diagnostic[] {
  const offers = offeredIn(drawing)
  const policies = [...drawing.lists.values()].flat().flatMap((node) => {
    const kind = kindOf(drawing.catalog, node.kind)
    return kind?.out === 'policy' ? [{ node, kind, path: drawing.paths.get(node.id) ?? '' }] : []
  })
  return [
    ...policies.flatMap((policy) => checkScope(drawing, policy)),
    ...checkPatterns(drawing, policies),
    ...policies.flatMap((policy) => checkEmpty(policy)),
    ...policies.flatMap((policy) => checkTool(policy, offers)),
    ...checkLast(policies),
  ]
}

interface PolicyNode {
  readonly node: GraphNode
  readonly kind: NodeKind
  readonly path: string
}

/**
 * A policy's wires must give it one clear scope. `normalize` corrects only what is not in doubt, so this is a
 * check of its own.
 */
function checkScope(drawing: Drawing, { node, kind, path }: PolicyNode): Diagnostic[] {
  const { agent, entries } = targetsOf(drawing, node.id)
  if (entries.length === 0) return []
  const fault = (code: string, message: string): Diagnostic => ({
    severity: 'error',
    code,
    message,
    node: node.id,
    path,
  })
  if (kind.scoped !== true) {
    return [
      fault('policy_unscoped', `${kind.label} always covers the whole run. Wire it to the agent instead.`),
    ]
  }
  const found: Diagnostic[] = []
  if (agent) {
    const message = `${kind.label} is wired to the agent, which covers every tool, and to single tool entries as well. Remove one kind of wire.`
    found.push(fault('scope_twice', message))
  }
  if (typedGlobs(node.config) !== undefined) {
    const message = `${kind.label} takes its scope from its wires and names tools in “Applies to” as well. Clear “Applies to”, or wire it to the agent.`
    found.push({ ...fault('scope_twice', message), path: `${path}/${appliesToKey}` })
  }
  for (const entry of entries) {
    const entryKind = kindOf(drawing.catalog, entry.kind)
    if (entryKind === undefined || globsOf(entry.config, entryKind).length > 0) continue
    const message = `${kind.label} is wired to ${nameOf(drawing.catalog, entry)} (${drawing.paths.get(entry.id)}), which names no tools yet. Choose its tools, or remove the wire.`
    found.push(fault('scope_empty', message))
  }
  return found
}

function checkPatterns(drawing: Drawing, policies: readonly PolicyNode[]): Diagnostic[] {
  if (!isWithinWeight(drawing)) return []
  const mayName = knownNames(drawing)
  return policies.flatMap((policy) => unmatchedIn(policy, mayName))
}

function unmatchedIn({ node, kind, path }: PolicyNode, mayName: (glob: string) => boolean): Diagnostic[] {
  const keys = Object.entries(kind.schema.properties ?? {}).filter(([, each]) => each.format === 'globs')
  return keys.flatMap(([key, { maxItems }]) =>
    // A list that is too long has its own diagnostic; items beyond the limit are not checked.
    textsOf(node.config[key])
      .slice(0, typeof maxItems === 'number' ? maxItems : undefined)
      .flatMap((glob, index): Diagnostic[] => {
        if (mayName(glob)) return []
        const message = `${kind.label}: “${glob}” names no tool. Correct it, or remove it.`
        const place = { node: node.id, path: `${path}/${key}/${index}` }
        return [{ severity: 'warning', code: 'glob_unmatched', message, ...place }]
      }),
  )
}

/**
 * If all settings are optional and none has a default but an empty list, a policy without settings has no
 * effect.
 */
function checkEmpty({ node, kind, path }: PolicyNode): Diagnostic[] {
  const { properties = {}, required = [] } = kind.schema
  const own = Object.entries(properties).filter(([key]) => key !== appliesToKey)
  const isFree = own.length > 0 && required.length === 0 && own.every(([, each]) => isNothing(each.default))
  if (!isFree || own.some(([key]) => !isNothing(node.config[key]))) return []
  const message = `${kind.label} sets nothing yet, so it does nothing. Fill in a setting, or delete it.`
  return [{ severity: 'warning', code: 'policy_empty', message, node: node.id, path }]
}

function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

/** Checks a setting, or one inside it, that names a single tool. */
function checkTool({ node, kind, path }: PolicyNode, offers: (name: string) => boolean): Diagnostic[] {
  return Object.entries(kind.schema.properties ?? {}).flatMap(([key, schema]): Diagnostic[] => {
    const value = node.config[key]
    const inner = toolKeyIn(schema)
    const name = inner === undefined || !isObject(value) ? undefined : value[inner]
    if (typeof name !== 'string' || name === '' || offers(name)) return []
    const message = `${kind.label}: no entry offers “${name}”. Choose another tool, or wire one that offers it.`
    const place = { node: node.id, path: `${path}/${key}/${inner}` }
    return [{ severity: 'warning', code: 'tool_not_offered', message, ...place }]
  })
}

function toolKeyIn({ anyOf = [], oneOf = [] }: JsonSchema): string | undefined {
  return [...anyOf, ...oneOf]
    .flatMap(({ properties = {} }) => Object.entries(properties))
    .find(([, each]) => each.format === 'tool')?.[0]
}

/** Whether an entry offers the tool, or may offer it once its tools are known. */
function offeredIn({ catalog, toolEntries }: Drawing): (name: string) => boolean {
  const entries = toolEntries.flatMap((node) => {
    const kind = kindOf(catalog, node.kind)
    return kind === undefined
      ? []
      : [{ globs: globsOf(node.config, kind), known: toolsOf(catalog, kind.use ?? '') }]
  })
  return (name) =>
    entries.some(
      ({ globs, known }) =>
        matchesAny(globs, name) && (known === undefined || known.some((tool) => tool.name === name)),
    )
}

function checkLast(policies: readonly PolicyNode[]): Diagnostic[] {
  const last = new Map(policies.map((policy) => [policy.kind.kind, policy]))
  return policies.flatMap((policy): Diagnostic[] => {
    const deciding = last.get(policy.kind.kind)
    if (policy.kind.lastWins !== true || deciding === undefined || deciding === policy) return []
    const message = `Only the last ${policy.kind.label} applies, which is ${deciding.path}. This one does nothing: delete one of them.`
    return [
      { severity: 'warning', code: 'policy_overruled', message, node: policy.node.id, path: policy.path },
    ]
  })
}

/**
 * Whether a pattern may match a tool of the catalog or of an entry, including tools found only at run time.
 */
function knownNames(drawing: Drawing): (glob: string) => boolean {
  const names = new Set(toolNames(drawing.catalog))
  const open: string[] = []
  for (const node of drawing.toolEntries) {
    const kind = kindOf(drawing.catalog, node.kind)
    if (kind === undefined || toolsOf(drawing.catalog, kind.use ?? '') !== undefined) continue
    for (const glob of globsOf(node.config, kind)) {
      if (glob.includes('*')) open.push(headOf(glob))
      else names.add(glob)
    }
  }
  const all = [...names]
  const answers = new Map<string, boolean>()
  return (glob) => {
    const known = answers.get(glob)
    if (known !== undefined) return known
    const head = headOf(glob)
    const found =
      names.has(glob) ||
      (glob.includes('*') && all.some(globMatcher(glob))) ||
      open.some((other) => head.startsWith(other) || (glob.includes('*') && other.startsWith(head)))
    answers.set(glob, found)
    return found
  }
}

function headOf(glob: string): string {
  const star = glob.indexOf('*')
  return star < 0 ? glob : glob.slice(0, star)
}
