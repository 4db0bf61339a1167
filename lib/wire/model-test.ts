/** The test of one model on the wire: in which formats it calls a tool as it should, and which of them to take. */
import { z } from 'zod'

/** In the order they are asked; of those that work the first is the best. */
export const testFormats = ['native', 'xml', 'json', 'json_fence'] as const
export type TestFormat = (typeof testFormats)[number]
const testFormat = z.enum(testFormats)

export const testModel = z.strictObject({
  /** As the provider names it. */
  model: z.string().trim().min(1).max(200),
  /** One that shares the endpoint, where another of its APIs is meant: `openai-responses`. */
  provider: z.string().max(64).optional(),
  /** Only these are asked; absent, all that are needed to tell. */
  formats: z.array(testFormat).min(1).max(testFormats.length).optional(),
})
export type TestModel = z.infer<typeof testModel>

export const formatTest = z.strictObject({
  format: testFormat,
  /** A call of the tool came back, and its arguments are right. */
  ok: z.boolean(),
  /** Whole milliseconds. */
  ms: z.int().nonnegative(),
  /** The call it made, or what it said instead; empty when it said nothing. */
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
  /** Of the formats asked; null when none works. */
  recommended: testFormat.nullable(),
  /** Why, in one sentence or two. */
  reason: z.string(),
  /** Tokens of all that was asked. */
  usage: z.strictObject({ input: z.int(), output: z.int() }),
  /** Null when no price of the model is known. */
  costUsd: z.number().nullable(),
})
export type ModelTest = z.infer<typeof modelTest>

/** Faults that any other format would end in as well. */
const common = new Set(['auth', 'quota', 'not_found', 'connection', 'settings', 'rate_limit', 'aborted'])

/** The format to ask next; undefined when enough is known. */
export function nextFormat(results: readonly FormatTest[]): TestFormat | undefined {
  if (results.some(({ fault }) => fault !== undefined && common.has(fault.code))) return undefined
  const next = testFormats.find((each) => results.every(({ format }) => format !== each))
  // Fences are asked for only where nothing better is understood.
  return next === 'json_fence' && results.some(({ ok }) => ok) ? undefined : next
}

const praise: Record<TestFormat, string> = {
  native: 'It calls tools in its provider’s own way, which is the surest and the cheapest.',
  xml: 'It does not call tools in its provider’s own way, and writes calls in XML as it should.',
  json: 'Neither its provider’s own calls nor XML come out right; calls in JSON do.',
  json_fence: 'Only calls in a fenced block of JSON come out right.',
}

/** The best of the formats that work, and why it is that. Pure. */
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
      'It called the tool rightly in no format that was asked. Take another model for agents with tools.',
  }
}
