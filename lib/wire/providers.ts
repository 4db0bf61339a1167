/** Providers of models on the wire: where each is reached, whether it has a key, and what it said when it was tried. */
import { z } from 'zod'
import { databaseName } from './databases'

export const providerName = databaseName

const baseUrl = z.string().max(2_048)

/** Absent keeps what stands; an empty key forgets it, an empty address takes the service's own again. */
export const saveProvider = z.strictObject({
  baseUrl: baseUrl.optional(),
  /** Write-only. */
  key: z.string().max(4_096).optional(),
  /** Seconds without content after which an answer counts as stalled; longer for slow local models. */
  idleSeconds: z.number().int().min(5).max(3_600).nullable().optional(),
})
export type SaveProvider = z.infer<typeof saveProvider>

/** Where a value comes from; what the environment says can not be changed here. */
const source = z.enum(['default', 'settings', 'environment'])

export const providerTest = z.strictObject({
  ok: z.boolean(),
  /** Sorted; empty when it failed. */
  models: z.array(z.string()),
  /** What was found, or what is wrong and what to do, in one sentence. */
  message: z.string(),
  /** What kind of fault it was, as in `ModelFault`; absent when it went well. */
  code: z.string().optional(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
  durationMs: z.int().nonnegative(),
})
export type ProviderTest = z.infer<typeof providerTest>

export const providerView = z.strictObject({
  /** What a config calls it: the provider itself, or the `endpoint` of one. */
  name: z.string(),
  /** The id of the provider by which it is asked: its own name for a service, another for an endpoint a person has added. */
  kind: z.string(),
  label: z.string(),
  /** Null while an added endpoint lacks one. */
  baseUrl: z.string().nullable(),
  baseUrlFrom: source,
  /** Null when there is no key. */
  key: z
    .strictObject({
      from: z.enum(['settings', 'environment']),
      /** The last four letters, when the key is long enough to show them. */
      hint: z.string(),
      /** The secret that holds it; null for one of the environment. */
      secret: z.string().nullable(),
      /** False when the key may not go to `baseUrl`: it is then not sent. */
      allowed: z.boolean(),
    })
    .nullable(),
  idleSeconds: z.int().nullable(),
  /** It has all it needs to be asked. */
  ready: z.boolean(),
  /** What it lacks and what to do, in one or two sentences; absent when it is ready. */
  problem: z.string().optional(),
  /** The last test since the server started; null when there was none. */
  test: providerTest.nullable(),
})
export type ProviderView = z.infer<typeof providerView>

export const providerList = z.strictObject({ items: z.array(providerView) })
export type ProviderList = z.infer<typeof providerList>

/** A model a person can choose: the last test of its provider has listed it. */
export const knownModel = z.strictObject({
  /** The config's `provider`: where two share an endpoint, its models are listed under each. */
  provider: z.string(),
  /** For an endpoint that a person has added. */
  endpoint: z.string().optional(),
  name: z.string(),
})
export type KnownModel = z.infer<typeof knownModel>
export const modelList = z.strictObject({ items: z.array(knownModel) })
export type ModelList = z.infer<typeof modelList>
