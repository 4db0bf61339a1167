/** Writes the key by which OpenAI routes requests with the same beginning to the same cache. */
import type { JsonObject } from '#lib/spec/json'
import { hasTokens } from '../wire/lengths'

/** The shortest request that OpenAI caches, in tokens. */
const minimum = 1_024
export const cacheKeyMark = ',"prompt_cache_key":"'

/**
 * The key as a member of the body; empty where it would have no effect.
 * @param head the settings of the model; a key that a person set there counts
 * @param texts what the request says, in any order
 */
export function cacheKeyIn(head: JsonObject, key: string | undefined, texts: readonly string[]): string {
  if (key === undefined || head.prompt_cache_key !== undefined || !hasTokens(texts, minimum)) return ''
  return `,"prompt_cache_key":${JSON.stringify(key)}`
}
