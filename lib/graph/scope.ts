/** Scope as globs: those of a tool entry, and which policies can be drawn as wires to entries. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphNode } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { appliesToKey, type NodeKind } from '#lib/spec/kind'
import { addTo } from '#lib/spec/lists'
import { chosenNames, listedNames } from '#lib/spec/tool-scope'
import { textsOf } from './equal'
import { kindOf } from './kinds'

/** The globs of one tool entry, each once; empty while the entry names no tools. */
export function globsOf(config: JsonObject, kind: NodeKind): string[] {
  const { scope } = kind
  if (scope === undefined) return []
  if (scope.name !== undefined) return nameIn(config[scope.name])
  if (scope.choice !== undefined) return chosenNames(scope.choice, config)
  const items = listedNames(scope, config)
  if (scope.prefix === undefined) return [...new Set(items)]
  const [prefix] = nameIn(config[scope.prefix])
  if (prefix === undefined) return []
  // An empty list of patterns means every tool; an empty list of objects has none.
  if (items.length === 0) return scope.itemName === undefined ? [`${prefix}.*`] : []
  return [...new Set(items.map((item) => `${prefix}.${item}`))]
}

/** The scopes of an agent's tool entries, built once and used for each policy. */
export interface Scopes {
  /** The union of the globs of the entries at these indexes, in the order of the entries, each once. */
  union(entries: Iterable<number>): string[]
  /** Indexes of the entries whose globs are all in the list, in order. Entries without globs are left out. */
  covered(globs: readonly string[]): number[]
  /** The entries to wire so that the policy gets exactly this list; undefined when that is impossible. */
  drawn(globs: readonly string[]): number[] | undefined
}

export function scopesOf(entries: readonly (readonly string[])[]): Scopes {
  const holders = new Map<string, number[]>()
  entries.forEach((globs, index) => {
    for (const glob of globs) {
      addTo(holders, glob, index)
    }
  })
  const union = (indexes: Iterable<number>) => {
    const sorted = [...indexes].sort((a, b) => a - b)
    return [...new Set(sorted.flatMap((index) => entries[index] ?? []))]
  }
  const covered = (globs: readonly string[]) => {
    const hits = new Map<number, number>()
    for (const glob of new Set(globs)) {
      for (const index of holders.get(glob) ?? []) hits.set(index, (hits.get(index) ?? 0) + 1)
    }
    const whole = [...hits].filter(([index, count]) => count === entries[index]?.length)
    return whole.map(([index]) => index).sort((a, b) => a - b)
  }
  const drawn = (globs: readonly string[]) => {
    const indexes = covered(globs)
    const together = union(indexes)
    const same =
      globs.length > 0 && together.length === globs.length && together.every((glob, n) => glob === globs[n])
    return same ? indexes : undefined
  }
  return { union, covered, drawn }
}

/** The scopes of tool nodes in their order. */
export function scopesOfNodes(nodes: readonly GraphNode[], catalog: Catalog): Scopes {
  return scopesOf(
    nodes.map((node) => {
      const kind = kindOf(catalog, node.kind)
      return kind === undefined ? [] : globsOf(node.config, kind)
    }),
  )
}

/** The globs a person typed; undefined when none are set. */
export function typedGlobs(config: JsonObject): string[] | undefined {
  return config[appliesToKey] === undefined ? undefined : textsOf(config[appliesToKey])
}

function nameIn(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [value] : []
}
