/** Where content from outside comes from: what the policy `taint` counts, and what keeps a run from being remembered unasked. */
import { globMatcher, matchesAny } from './glob'
import type { CallPast } from './policy'
import { knowledgeSearchName, memorySearchName } from './recall'

/**
 * The one source that is not a tool: files that a person put into the thread, with this
 * question or at any other time.
 */
const input = 'input'

/** The sources of the policy `taint`, unless it names others: part of version 1. */
export const usualSources = [
  'web.*',
  'research.*',
  'files.view',
  'files.search',
  'files.get',
  'mcp',
  'http',
  'openapi',
  input,
]

/** They count whatever a policy names: what was recorded or uploaded at another time may have come from anybody. */
const always = [memorySearchName, knowledgeSearchName]

/** The sources that have brought something in, each named after its first tool. */
export function outsideOf(
  sources: readonly string[],
  past: Pick<CallPast, 'begun' | 'hasFiles' | 'hadFiles'>,
): string[] {
  const all = [...sources, ...always]
  // This runs for every call. `matchesAny` caches its result for each name; the list is searched again
  // only for tools that match.
  const begun = past.begun.filter((tool) => all.includes(tool.source) || matchesAny(all, tool.scopeName))
  return [...new Set(all.flatMap((source) => sourcesUsed(source, { ...past, begun })))]
}

/**
 * What a source has brought in, named after its first tool, so that the name stays the
 * same when more comes in.
 */
function sourcesUsed(source: string, past: Pick<CallPast, 'begun' | 'hasFiles' | 'hadFiles'>): string[] {
  // Any tool, JavaScript included, may have read such a file, in this run or in an earlier one.
  if (source === input && past.hasFiles) return ['files given with the question']
  if (source === input && past.hadFiles) return ['files given in this thread']
  if (past.begun.length === 0) return []
  const fits = globMatcher(source)
  const first = past.begun.find((tool) => tool.source === source || fits(tool.scopeName))
  return first === undefined ? [] : [first.scopeName]
}
