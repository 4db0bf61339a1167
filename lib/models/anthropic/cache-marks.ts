/**
 * Marks the places of a Messages request up to which the service should cache it: the tools, the system text
 * and the last two turns of the user, which is as many marks as the service takes.
 */
import { longestMatch } from '#lib/spec/glob'
import { countUpTo } from '../wire/lengths'
import { cacheMinimums, usualCacheMinimum } from './service'

/** One turn of the dialogue, as it is written. */
export interface WrittenTurn {
  readonly role: 'user' | 'assistant'
  /** Blocks as JSON; results must come before text. */
  readonly results: string[]
  readonly blocks: string[]
  /** Added for this request alone. */
  readonly isHint?: true
}

export interface CacheMarks {
  readonly tools: boolean
  readonly system: boolean
  /** The index of the marked block, by turn. */
  readonly turns: ReadonlyMap<WrittenTurn, number>
}

export const noMarks: CacheMarks = { tools: false, system: false, turns: new Map() }
export const cacheMark = ',"cache_control":{"type":"ephemeral"}'

/** The fewest tokens that the model caches. */
export function cacheMinimumOf(model: string): number {
  return longestMatch(cacheMinimums, model) ?? usualCacheMinimum
}

/** A request in the order in which the service caches it. */
export interface Markable {
  readonly tools: readonly string[]
  readonly system: string
  readonly turns: readonly WrittenTurn[]
  /** How many blocks at the end belong to this request alone. */
  readonly hints: number
  readonly minimum: number
}

export function marksOf({ tools, system, turns, hints, minimum }: Markable): CacheMarks {
  let tokens = 0
  /** Whether the beginning that ends with these texts is long enough. */
  const reaches = (texts: readonly string[]) => {
    tokens += countUpTo(texts, minimum - tokens)
    return tokens >= minimum
  }
  const isToolsLong = reaches(tools)
  const isSystemLong = reaches([system])
  const ends: [WrittenTurn, number][] = []
  for (const turn of turns) {
    const isLast = turn === turns.at(-1)
    const all = [...turn.results, ...turn.blocks]
    const lasting = turn.isHint ? [] : all.slice(0, isLast ? all.length - hints : all.length)
    const isLong = reaches(lasting)
    // The request before ended with the turn before the last, so there its beginning is in the cache.
    if (isLong && turn.role === 'user' && lasting.length > 0) ends.push([turn, lasting.length - 1])
  }
  return {
    tools: isToolsLong && tools.length > 0,
    system: isSystemLong && system !== '',
    turns: new Map(ends.slice(-2)),
  }
}

/** The list with its block at this index marked. A block is the text of a JSON object. */
export function markAt(blocks: readonly string[], index: number | undefined): readonly string[] {
  if (index === undefined) return blocks
  return blocks.map((each, at) => (at === index ? `${each.slice(0, -1)}${cacheMark}}` : each))
}
