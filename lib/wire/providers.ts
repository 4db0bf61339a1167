/**
 * Providers of models on the wire: their addresses, whether they have a key, and the results of their tests.
 */
import { z } from 'zod'
import { databaseName } from './databases'

export const providerName = databaseName

const baseUrl = z.string().max(2_048)

/**
 * An absent value stays unchanged; an empty key removes the key, an empty address restores the service's own.
 */
export const saveProvider = z.strictObject({
  baseUrl: baseUrl.optional(),
  /** Write-only. */
  key: z.string().max(4_096).optional(),
  /** Seconds without content after which an answer counts as stalled; raise it for slow local models. */
  idleSeconds: z.number().int().min(5).max(3_600).nullable().optional(),
  /** Whether requests to an added endpoint have a `prompt_cache_key`. Services of OpenAI and Anthropic need no word. */
  promptCache: z.boolean().optional(),
})
export type SaveProvider = z.infer<typeof saveProvider>

/** Where a value comes from; values from the environment cannot be changed through the API. */
const source = z.enum(['default', 'settings', 'environment'])

export const providerTest = z.strictObject({
  ok: z.boolean(),
  /** Sorted; empty if the test failed. */
  models: z.array(z.string()),
  /** What was found, or what is wrong and what to do, in one sentence. */
  message: z.string(),
  /** The kind of fault, as in `ModelFault`; absent if the test succeeded. */
  code: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
  durationMs: z.int().nonnegative(),
})
export type ProviderTest = z.infer<typeof providerTest>

export const providerView = z.strictObject({
  /** Its name in a config: the provider itself, or an `endpoint`. */
  name: z.string(),
  /**
   * The id of the provider that makes the requests: the same name for a built-in service, another for an
   * added endpoint.
   */
  kind: z.string(),
  label: z.string(),
  /** Null while an added endpoint has none. */
  baseUrl: z.string().nullable(),
  baseUrlFrom: source,
  /** Null if there is no key. */
  key: z
    .strictObject({
      from: z.enum(['settings', 'environment']),
      /** The last four characters, if the key is long enough to show them. */
      hint: z.string(),
      /** The secret that holds it; null for a key from the environment. */
      secret: z.string().nullable(),
      /** False if the key may not be sent to `baseUrl`; it is then left out. */
      allowed: z.boolean(),
    })
    .nullable(),
  idleSeconds: z.int().nullable(),
  /** True if the operator has said that an added endpoint takes a `prompt_cache_key`; otherwise absent. */
  promptCache: z.literal(true).optional(),
  /** Whether it has everything that a request needs. */
  ready: z.boolean(),
  /** What is missing and what to do, in one or two sentences; absent if it is ready. */
  problem: z.string().optional(),
  /** The last test of this address with this key; null if there was none. */
  test: providerTest.nullable(),
})
export type ProviderView = z.infer<typeof providerView>

export const providerList = z.strictObject({ items: z.array(providerView) })
export type ProviderList = z.infer<typeof providerList>

/** A model to choose from: the last test of its provider listed it. */
export const knownModel = z.strictObject({
  /** The config's `provider`; if two providers share an endpoint, its models are listed under each. */
  provider: z.string(),
  /** The name of an added endpoint. */
  endpoint: z.string().optional(),
  name: z.string(),
})
export type KnownModel = z.infer<typeof knownModel>
export const modelList = z.strictObject({ items: z.array(knownModel) })
export type ModelList = z.infer<typeof modelList>
