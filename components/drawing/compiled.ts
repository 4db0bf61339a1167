/** What the drawing compiles to, indexed for the screen: paths and findings by node. */
import type { Diagnostic } from '#lib/spec/errors'
import { isObject, type JsonValue } from '#lib/spec/json'

export function pathsOf(origins: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(origins).map(([path, node]) => [node, path]))
}

/**
 * Findings by node id. A list that has not changed keeps the same object, so that only changed cards are
 * rendered again.
 */
export function findingsOf(
  diagnostics: readonly Diagnostic[],
  previous?: ReadonlyMap<string, readonly Diagnostic[]>,
): ReadonlyMap<string, readonly Diagnostic[]> {
  const findings = new Map<string, Diagnostic[]>()
  for (const each of diagnostics) {
    if (each.node === undefined) continue
    const known = findings.get(each.node)
    if (known === undefined) findings.set(each.node, [each])
    else known.push(each)
  }
  if (previous === undefined) return findings
  return new Map([...findings].map(([node, list]) => [node, same(previous.get(node), list)]))
}

function same(before: readonly Diagnostic[] | undefined, now: readonly Diagnostic[]): readonly Diagnostic[] {
  if (before === undefined || before.length !== now.length) return now
  return before.every((each, at) => each.message === now[at]?.message && each.severity === now[at]?.severity)
    ? before
    : now
}

const order = { error: 0, warning: 1, info: 2 } as const

export function worst(findings: readonly Diagnostic[] | undefined): Diagnostic | undefined {
  return findings?.reduce<Diagnostic | undefined>(
    (found, each) => (found === undefined || order[each.severity] < order[found.severity] ? each : found),
    undefined,
  )
}

/** The part of a config at an entry path; for the agent, only its own keys. */
export function partAt(text: string, path: string, agentKeys: readonly string[]): JsonValue | undefined {
  const config: unknown = JSON.parse(text)
  if (!isObject(config)) return undefined
  if (path === 'agent')
    return Object.fromEntries(agentKeys.flatMap((key) => (key in config ? [[key, config[key] ?? null]] : [])))
  let found: JsonValue | undefined = config
  for (const key of path.startsWith('parked/') ? ['canvas', ...path.split('/')] : path.split('/')) {
    if (Array.isArray(found)) found = found[Number(key)]
    else if (isObject(found)) found = found[key]
    else return undefined
  }
  return found
}
