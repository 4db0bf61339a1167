/** Which tools of an MCP server an entry offers: its patterns as ticks, and ticks as its patterns. */
import { matchesAny } from '#lib/spec/glob'

/** Without any pattern, all tools are offered. */
export function isTicked(patterns: readonly string[], name: string): boolean {
  return patterns.length === 0 || matchesAny(patterns, name)
}

/**
 * The patterns after a tick was changed; undefined when all tools are ticked, as at the beginning. Patterns that fit
 * no tool of the server stay: it may list that tool again.
 */
export function toggleTick(
  patterns: readonly string[],
  names: readonly string[],
  changed: string,
): string[] | undefined {
  const ticked = names.filter((name) => isTicked(patterns, name) !== (name === changed))
  const strays = patterns.filter((each) => !names.some((name) => matchesAny([each], name)))
  const isWhole = ticked.length === names.length && strays.length === 0
  return isWhole ? undefined : [...ticked, ...strays]
}
