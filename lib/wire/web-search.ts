/** The search service that tools search the web with, on the wire. */
import { z } from 'zod'
import { searchEngines } from '#lib/spec/web-search'

const engine = z.enum(searchEngines)

/** An absent key stays as it is stored. Without an address, the service's own is used; SearXNG has none. */
export const saveWebSearch = z.strictObject({
  engine,
  baseUrl: z.string().min(1).max(2_048).optional(),
  key: z.string().trim().min(1).max(4_096).optional(),
})
export type SaveWebSearch = z.infer<typeof saveWebSearch>

export const webSearchView = z.strictObject({
  /** Null when no web search is set up. */
  engine: engine.nullable(),
  /** Where it is set up; null when it is not. */
  from: z.enum(['settings', 'environment']).nullable(),
  baseUrl: z.string().nullable(),
  /** Null when there is no key. */
  key: z
    .strictObject({
      /** The last four characters, if the value is long enough to show them. */
      hint: z.string(),
      /** The name of the stored secret; absent for a key from the environment. */
      secret: z.string().optional(),
    })
    .nullable(),
  /** Why it cannot be used and what to do; absent when it can be tried. */
  problem: z.string().optional(),
})
export type WebSearchView = z.infer<typeof webSearchView>

/** Without `search`, what is set up is tested. */
export const testWebSearch = z.strictObject({ search: saveWebSearch.optional() })
export type TestWebSearch = z.infer<typeof testWebSearch>

export const webSearchTest = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    durationMs: z.int().nonnegative(),
    results: z.int().nonnegative(),
    /** Of the first result. */
    title: z.string().optional(),
  }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
])
export type WebSearchTest = z.infer<typeof webSearchTest>
