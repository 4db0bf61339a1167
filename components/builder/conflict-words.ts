/** The changes of each side since both knew the same agent, in words. Pure. */
import { compile } from '#lib/graph/compile'
import { diffConfigs } from '#lib/graph/diff'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

/**
 * One side's changes as sentences; `whole` is false where its drawing or the earlier one does not compile.
 */
export interface SideWords {
  readonly whole: boolean
  readonly changes: readonly string[]
}

export function sideWords(before: GraphDocument | null, after: GraphDocument, catalog: Catalog): SideWords {
  const was = before === null ? null : compile(before, catalog).config
  const is = compile(after, catalog).config
  if (was === null || is === null) return { whole: false, changes: [] }
  return { whole: true, changes: diffConfigs(was, is, catalog).map(({ text }) => text) }
}

/** The text in place of an empty list. */
export function emptyWords({ whole }: SideWords): string {
  return whole
    ? 'Only how it is drawn, not what it does.'
    : 'A drawing with errors cannot be compared, but all of it is kept.'
}
