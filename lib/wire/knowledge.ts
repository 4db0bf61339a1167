/** Collections of knowledge on the wire: their files, searches, and the model of embeddings. */
import { z } from 'zod'
import { collectionName, passage } from '#lib/spec/recall'
import { collectionFileKinds } from '#lib/spec/recall-store'

const count = z.int().nonnegative()

export const createCollection = z.strictObject({
  name: collectionName,
  description: z.string().max(1_000).optional(),
})
export type CreateCollection = z.output<typeof createCollection>

export const describeCollection = z.strictObject({ description: z.string().max(1_000) })

const collectionFacts = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  createdAt: count,
  files: count,
  passages: count,
  bytes: count,
  /** The agents whose drafts use it. */
  usedBy: z.array(z.strictObject({ id: z.string(), name: z.string(), title: z.string() })),
}
export const collectionView = z.strictObject(collectionFacts)
export type CollectionView = z.infer<typeof collectionView>

export const collectionList = z.strictObject({ items: z.array(collectionView) })
export type CollectionList = z.infer<typeof collectionList>

export const collectionFile = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(collectionFileKinds),
  bytes: count,
  /** Characters of its text. */
  chars: count,
  passages: count,
  createdAt: count,
})
export type CollectionFile = z.infer<typeof collectionFile>

export const collectionDetail = z.strictObject({ ...collectionFacts, list: z.array(collectionFile) })
export type CollectionDetail = z.infer<typeof collectionDetail>

export const addFileQuery = z.strictObject({
  /** The file’s name, by which it is cited. */
  name: z.string().min(1).max(255),
})

export const searchCollections = z.strictObject({
  query: z
    .string()
    .max(1_000)
    .refine((text) => text.trim() !== '', 'This must not be empty'),
  collections: z.array(collectionName).min(1).max(20),
  limit: z.int().min(1).max(20).optional(),
})
export type SearchCollections = z.output<typeof searchCollections>

export const foundPassages = z.strictObject({
  /** The terms that were searched for, in the form of the index. */
  terms: z.array(z.string()),
  passages: z.array(passage),
  /** Whether meaning was compared as well. */
  byMeaning: z.boolean(),
  durationMs: count,
})
export type FoundPassages = z.infer<typeof foundPassages>

const embeddingModel = z.strictObject({
  /** The name of a provider in Settings → Models. */
  provider: z.string().min(1).max(64),
  /** As the provider names it. */
  name: z.string().min(1).max(200),
})

/** Null searches by words alone. */
export const saveEmbeddings = z.strictObject({ model: embeddingModel.nullable() })
export type SaveEmbeddings = z.output<typeof saveEmbeddings>

export const embeddingsView = z.strictObject({
  model: embeddingModel.nullable(),
  /** Memories and passages in all, and those that have a vector of this model. */
  texts: count,
  done: count,
  /** Texts that the model refused, so that they are found by their words only, and the first of them. */
  refused: z
    .strictObject({ count, first: z.array(z.strictObject({ text: z.string(), problem: z.string() })) })
    .optional(),
  /** Why the service reads nothing, or why the last question was searched by words alone. */
  problem: z.string().optional(),
  /** The providers that can be chosen. */
  providers: z.array(z.string()),
})
export type EmbeddingsView = z.infer<typeof embeddingsView>
