/** The test of one model on the wire: in which formats it makes a correct tool call, and which to choose. */
import { z } from 'zod'

/** In the order they are tried; of the formats that work, the first is the best. */
export const testFormats = ['native', 'xml', 'json', 'json_fence'] as const
export type TestFormat = (typeof testFormats)[number]
const testFormat = z.enum(testFormats)

export const testModel = z.strictObject({
  /** The provider's name for it. */
  model: z.string().trim().min(1).max(200),
  /** Another provider that shares the endpoint, to use another of its APIs: `openai-responses`. */
  provider: z.string().max(64).optional(),
  /** Only these are tried; if absent, as many as are needed for a recommendation. */
  formats: z.array(testFormat).min(1).max(testFormats.length).optional(),
})
export type TestModel = z.infer<typeof testModel>

export const formatTest = z.strictObject({
  format: testFormat,
  /** Whether the model called the tool with correct arguments. */
  ok: z.boolean(),
  /** Whole milliseconds. */
  ms: z.int().nonnegative(),
  /** The call it made, or the text it sent instead; empty if there was none. */
  said: z.string(),
  /** Why there is no answer, as in `ModelFault`. */
  fault: z.strictObject({ code: z.string(), message: z.string() }).optional(),
})
export type FormatTest = z.infer<typeof formatTest>

export const modelTest = z.strictObject({
  /** As a config names the model. */
  provider: z.string(),
  endpoint: z.string().optional(),
  model: z.string(),
  results: z.array(formatTest),
  /** The best of the tested formats; null if none works. */
  recommended: testFormat.nullable(),
  /** Why, in one sentence or two. */
  reason: z.string(),
  /** The tokens of all requests. */
  usage: z.strictObject({ input: z.int(), output: z.int() }),
  /** Null if no price of the model is known. */
  costUsd: z.number().nullable(),
})
export type ModelTest = z.infer<typeof modelTest>

/** Faults that would be the same in every format. */
const common = new Set(['auth', 'quota', 'not_found', 'connection', 'settings', 'rate_limit', 'aborted'])

/** The format to try next; undefined when enough is known. */
export function nextFormat(results: readonly FormatTest[]): TestFormat | undefined {
  if (results.some(({ fault }) => fault !== undefined && common.has(fault.code))) return undefined
  const next = testFormats.find((each) => results.every(({ format }) => format !== each))
  // Fences are tried only if nothing better works.
  return next === 'json_fence' && results.some(({ ok }) => ok) ? undefined : next
}

const praise: Record<TestFormat, string> = {
  native: 'It calls tools in its provider’s own way, which is the surest and the cheapest.',
  xml: 'It does not call tools in its provider’s own way, but it writes calls in XML correctly.',
  json: 'Its calls in its provider’s own way and in XML are wrong, but its calls in JSON are correct.',
  json_fence: 'Only its calls in a fenced block of JSON are correct.',
}

/** The best of the formats that work, and the reason. Pure. */
export function recommend(results: readonly FormatTest[]): Pick<ModelTest, 'recommended' | 'reason'> {
  const works = new Set(results.filter(({ ok }) => ok).map(({ format }) => format))
  const recommended = testFormats.find((each) => works.has(each))
  if (recommended !== undefined) return { recommended, reason: praise[recommended] }
  const [fault] = results.flatMap(({ fault }) =>
    fault !== undefined && common.has(fault.code) ? [fault] : [],
  )
  if (fault !== undefined) return { recommended: null, reason: fault.message }
  return {
    recommended: null,
    reason:
      'It did not call the tool correctly in any of the formats tested. Choose another model for agents with tools.',
  }
}
