/** Converts the token counts of the APIs to our own: `input` is the whole input, cached or not. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { Usage } from '#lib/spec/model'
import { countIn, objectIn } from './json'

interface Counts {
  readonly input: number
  readonly output: number
  readonly reasoning: number | undefined
  readonly cached: number | undefined
  readonly cacheWritten: number | undefined
}

/** Undefined if all counts are zero, which only means that nobody counted. */
function usageOf({ input, output, reasoning = 0, cached = 0, cacheWritten = 0 }: Counts): Usage | undefined {
  if (input === 0 && output === 0) return undefined
  return {
    input,
    output,
    ...(reasoning > 0 ? { reasoning } : {}),
    ...(cached > 0 ? { cached } : {}),
    ...(cacheWritten > 0 ? { cacheWritten } : {}),
  }
}

/** Undefined if there is no usable count. */
export function openaiUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const input = countIn(value, 'prompt_tokens')
  const output = countIn(value, 'completion_tokens')
  if (input === undefined || output === undefined) return undefined
  return usageOf({
    input,
    output,
    reasoning: countIn(objectIn(value, 'completion_tokens_details'), 'reasoning_tokens'),
    cached:
      countIn(objectIn(value, 'prompt_tokens_details'), 'cached_tokens') ??
      countIn(value, 'prompt_cache_hit_tokens'),
    cacheWritten: countIn(objectIn(value, 'prompt_tokens_details'), 'cache_write_tokens'),
  })
}

/** The same counts under the names of the Responses API. */
export function responsesUsage(value: JsonValue | undefined): Usage | undefined {
  if (!isObject(value)) return undefined
  const input = countIn(value, 'input_tokens')
  const output = countIn(value, 'output_tokens')
  if (input === undefined || output === undefined) return undefined
  return usageOf({
    input,
    output,
    reasoning: countIn(objectIn(value, 'output_tokens_details'), 'reasoning_tokens'),
    cached: countIn(objectIn(value, 'input_tokens_details'), 'cached_tokens'),
    cacheWritten: countIn(objectIn(value, 'input_tokens_details'), 'cache_write_tokens'),
  })
}

/** A stream reports the counts at its start and its end; the last value counts. */
export function anthropicUsage(start: JsonObject, end: JsonObject): Usage | undefined {
  const told = (key: string) => countIn(end, key) ?? countIn(start, key)
  const fresh = told('input_tokens')
  const output = countIn(end, 'output_tokens')
  if (fresh === undefined || output === undefined) return undefined
  const cached = told('cache_read_input_tokens') ?? 0
  const cacheWritten = told('cache_creation_input_tokens') ?? 0
  return usageOf({
    input: fresh + cached + cacheWritten,
    output,
    reasoning: countIn(objectIn(end, 'output_tokens_details'), 'thinking_tokens'),
    cached,
    cacheWritten,
  })
}
