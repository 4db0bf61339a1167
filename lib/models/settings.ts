/** The settings that models of services have in common; each is sent only when it is set. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'

export const modelName = z.string().trim().min(1).max(200)

export function temperature(max: number) {
  return z.number().min(0).max(max).optional()
}

export const topP = z.number().min(0).max(1).optional().meta({
  title: 'Top P',
  description: 'Draws only from the likeliest words that make up this share. Not sent when empty.',
})

export const maxOutputTokens = z.int().min(1).max(10_000_000).optional().meta({
  title: 'Longest answer',
  description: 'Thoughts count as well. Not sent when empty: the model’s own limit holds then.',
  unit: 'tokens',
})

/** Set by the loop itself: another value would break what it reads, or what it has on record of the request. */
const ours: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'input',
  'instructions',
  'system',
  'tools',
  'tool_choice',
  'response_format',
  'text',
  'stream',
  'stream_options',
  'store',
  'include',
  'background',
  'n',
])

export const extra = jsonObject
  .default({})
  .superRefine((given, context) => {
    for (const key of Object.keys(given))
      if (ours.has(key))
        context.addIssue({ code: 'custom', path: [key], message: `${key} is set by Loopwright itself` })
  })
  .meta({
    title: 'Sent along',
    description:
      'Goes into every request as it stands, such as {"user": "u-17", "metadata": {"stage": "plan"}}. No place for secrets.',
  })

export const stream = z
  .boolean()
  .default(true)
  .meta({ title: 'Stream', description: 'Sends words as they come instead of one whole answer.' })

export const timeoutSeconds = z.number().positive().max(86_400).default(300).meta({
  title: 'Time limit',
  description: 'For one answer, idle waits included.',
  unit: 's',
})
