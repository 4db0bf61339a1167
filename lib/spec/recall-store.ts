/** What the database keeps of memories and collections: rows as data, and synchronous calls. */
import type { RunEvent } from './event'

export interface MemoryRow {
  readonly id: string
  readonly agentId: string
  /** `user:<key>` or `thread:<id>`. */
  readonly owner: string
  readonly text: string
  /** The run that recorded it; the run may be deleted. */
  readonly runId: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** One memory of an agent. */
export interface MemoryOwner {
  readonly owner: string
  readonly entries: number
  readonly updatedAt: number
}

/** A row found by its words: `n` is its number, `words` its rank (higher is better). */
export interface WordHit {
  readonly n: number
  readonly words: number
}

/** A row without the vector that a model of embeddings gives its text. */
export interface Unembedded {
  readonly n: number
  readonly text: string
}

export interface Vector {
  readonly n: number
  /** 32-bit numbers of length 1; empty for a text that the model refused. */
  readonly vector: Uint8Array
}

/** What a model made of a text: its vector, or the sentence with which it refused the text. */
export interface ReadText extends Unembedded, Vector {
  readonly problem?: string
}

/** A text that is found by its words only. */
export interface RefusedText {
  readonly text: string
  readonly problem: string
}

/** The vectors of one kind of rows. `scopes` are the ids of collections, or an agent with the owner of its memory. */
export interface VectorStore {
  /** Rows that this model has not read as they are now. */
  unembedded(model: string, limit: number): Unembedded[]
  /** How many rows there are, and how many this model has read, refused ones among them. */
  embedded(model: string): { readonly rows: number; readonly done: number }
  /** How many texts the model refused, and the first of them. */
  refused(model: string): { readonly count: number; readonly first: RefusedText[] }
  /** Refused texts are read again. */
  retryRefused(): void
  /** Rows that are gone by now, or have another text, are left out. Returns how many were stored. */
  putVectors(model: string, read: readonly ReadText[]): number
  /** The numbers of all rows of these scopes. */
  numbers(scopes: readonly string[]): number[]
  /** The vectors of this model that rows have, in any order. */
  vectors(model: string, numbers: readonly number[]): Vector[]
}

export interface MemoryStore extends VectorStore {
  /** Best first. */
  find(of: Pick<MemoryRow, 'agentId' | 'owner'>, terms: readonly string[], limit: number): WordHit[]
  /** Records entries of one memory. A text that it has already counts as changed; the oldest make room for too many. */
  record(
    of: Pick<MemoryRow, 'agentId' | 'owner' | 'runId'>,
    entries: readonly Pick<MemoryRow, 'id' | 'text'>[],
    at: number,
  ): void
  /** Rows by their numbers, in any order. */
  rows(numbers: readonly number[]): (MemoryRow & { readonly n: number })[]
  owners(agentId: string): MemoryOwner[]
  /** The last changed first; with terms, those with any of them. `cursor` is one that this list returned. */
  list(filter: {
    readonly agentId: string
    readonly owner?: string | undefined
    readonly id?: string
    readonly terms?: readonly string[]
    readonly cursor?: string | undefined
    readonly limit?: number | undefined
  }): { readonly items: MemoryRow[]; readonly next?: string }
  /** `twice` when another entry of this memory has the text. */
  edit(agentId: string, id: string, text: string, at: number): 'saved' | 'twice' | 'missing'
  /** False when there is no such entry. */
  forget(agentId: string, id: string): boolean
  /** Forgets a whole memory; returns how many entries it had. */
  forgetAll(agentId: string, owner: string): number
}

export const collectionFileKinds = ['text', 'markdown', 'html', 'pdf', 'docx'] as const
export type CollectionFileKind = (typeof collectionFileKinds)[number]

export interface CollectionRow {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly createdAt: number
}

export interface CollectionFileRow {
  readonly id: string
  readonly collectionId: string
  readonly name: string
  readonly kind: CollectionFileKind
  readonly bytes: number
  readonly chars: number
  /** Null until all passages are stored. */
  readonly passages: number | null
  readonly createdAt: number
}

export interface PassageRow {
  readonly n: number
  readonly collection: string
  readonly file: string
  readonly place: string
  readonly text: string
}

export interface KnowledgeStore extends VectorStore {
  /** Sorted by name. */
  collections(): CollectionRow[]
  byName(name: string): CollectionRow | undefined
  /** False when the name is taken. */
  insert(row: CollectionRow): boolean
  describe(id: string, description: string): void
  remove(id: string): void
  /** Complete files, sorted by name. */
  files(collectionId: string): CollectionFileRow[]
  file(id: string): CollectionFileRow | undefined
  /** A new file, not searched until `finishFile`. */
  insertFile(row: CollectionFileRow): void
  addPassages(
    file: Pick<CollectionFileRow, 'id' | 'collectionId'>,
    passages: readonly { readonly place: string; readonly text: string }[],
  ): void
  /** The file replaces a complete one of the collection with the same name. False when its collection is gone. */
  finishFile(id: string, passages: number): boolean
  removeFile(id: string): boolean
  /** Removes files whose passages were not all stored before the server stopped. */
  removeUnfinished(): void
  find(collectionIds: readonly string[], terms: readonly string[], limit: number): WordHit[]
  rows(numbers: readonly number[]): PassageRow[]
}

/** Stores what an event says an agent remembers. */
export type RememberEvent = (runId: string, event: Extract<RunEvent, { type: 'memory.recorded' }>) => void
