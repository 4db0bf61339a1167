/** Settings that the providers have in common. A setting is sent only if it has a value. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'

export const modelName = z.string().trim().min(1).max(200)

/** Settings of Chat Completions, for every service with that API. */
export const chatKeys = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'reasoning_effort',
  'response_format',
  'functions',
  'function_call',
  'web_search_options',
]

export function temperature(max: number) {
  return z.number().min(0).max(max).optional()
}

export const topP = z.number().min(0).max(1).optional().meta({
  title: 'Top P',
  description: 'Draws only from the likeliest words that make up this share. Not sent when empty.',
})

export const maxOutputTokens = z.int().min(1).max(10_000_000).optional().meta({
  title: 'Max output tokens',
  description: 'Thoughts count as well. Not sent when empty: the model’s own limit applies.',
  unit: 'tokens',
})

/** Refused for every API: another value would break what the loop reads or records of the request. */
const alwaysOurs = ['model', 'messages', 'tools', 'tool_choice', 'stream', 'stream_options', 'n']

/**
 * Additional keys for the body of every request.
 * @param ours keys of this API that are refused: those that have a setting, and those by which the service
 *   would add to the dialogue or run its own tools, hidden from trace and policies
 * @param example JSON that the service accepts
 */
export function extra(ours: readonly string[], example: string) {
  const refused = new Set([...alwaysOurs, ...ours])
  return jsonObject
    .default({})
    .superRefine((given, context) => {
      for (const key of Object.keys(given).filter((each) => refused.has(each)))
        context.addIssue({
          code: 'custom',
          path: [key],
          message: `${key} cannot be added to requests: Loopwright sets it itself, or could not show and control what it does`,
        })
    })
    .meta({
      title: 'Extra request fields',
      description: `Added to every request unchanged, such as ${example}. Not for secrets.`,
    })
}

export function promptCache(description: string) {
  return z.boolean().default(true).meta({ title: 'Prompt cache', description })
}

export const stream = z
  .boolean()
  .default(true)
  .meta({ title: 'Stream', description: 'Sends words as they come instead of one whole answer.' })

export const timeoutSeconds = z.number().positive().max(86_400).default(300).meta({
  title: 'Time limit',
  description: 'For one answer, idle waits included.',
  unit: 's',
})

export const pictures = z.enum(['send', 'leave_out']).optional().meta({
  title: 'Pictures',
  description:
    'Whether pictures are sent to the model. When empty, they are sent to models that are known to see them; others read a note instead.',
})

export const contextWindow = z.int().min(1_000).max(100_000_000).optional().meta({
  title: 'Context window',
  description:
    'The most tokens of one request. When empty, the known window of the model applies; long runs are cut to it.',
  unit: 'tokens',
})
