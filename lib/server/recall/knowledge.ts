/** The collections of this server: people add files, which are read, cut into passages and searched. */
import { randomBytes } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { questionTerms } from '#db/search-words'
import { AppError } from '#lib/spec/errors'
import type { KnowledgePort } from '#lib/spec/recall-port'
import type { CollectionFileRow, CollectionRow, KnowledgeStore } from '#lib/spec/recall-store'
import type { AgentStore } from '#lib/spec/store'
import { maxUploadBytes } from '#lib/wire/artifacts'
import { bytesInWords } from '#lib/wire/json'
import type {
  CollectionDetail,
  CollectionFile,
  CollectionList,
  CollectionView,
  CreateCollection,
  FoundPassages,
  SearchCollections,
} from '#lib/wire/knowledge'
import { agentsBy } from '../agents/agents-by'
import type { Embeddings } from './embeddings'
import { type ReadFile, readFile } from './read-file'
import { searchPassages } from './search'

/** Passages stored in one transaction, so that other requests are answered meanwhile. */
const slice = 250
const mostCollections = 200
const mostFiles = 2_000

/** Expected failures are thrown as AppError. */
export interface Knowledge extends KnowledgePort {
  list(): CollectionList
  get(name: string): CollectionDetail
  create(body: CreateCollection): CollectionView
  describe(name: string, description: string): CollectionView
  remove(name: string): void
  /** Reads the file and adds its passages. It takes the place of a file of the same name. */
  addFile(
    name: string,
    file: { readonly name: string; readonly content: AsyncIterable<Uint8Array> },
    signal: AbortSignal,
  ): Promise<CollectionFile>
  removeFile(name: string, fileId: string): void
  /** What a question finds, with scores. */
  look(asked: SearchCollections, signal: AbortSignal): Promise<FoundPassages>
}

interface KnowledgeContext {
  readonly store: KnowledgeStore
  readonly agents: Pick<AgentStore, 'heads' | 'get'>
  readonly embeddings?: Pick<Embeddings, 'question' | 'wake'>
  readonly now: () => number
  /** Default: the readers of this program. */
  readonly read?: ReadFile
}

export function createKnowledge(context: KnowledgeContext): Knowledge {
  const { store, agents, embeddings, now, read = readFile } = context
  const need = (name: string): CollectionRow => {
    const row = store.byName(name)
    if (row === undefined)
      throw new AppError('not_found', `There is no collection “${name.slice(0, 100)}” here.`)
    return row
  }
  const agentsByCollection = () =>
    agentsBy(agents, ({ kind, config }) => {
      const named = kind === 'tool:knowledge' ? config.collections : undefined
      return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : []
    })
  const factsOf = (
    row: CollectionRow,
    files: readonly CollectionFileRow[],
    users = agentsByCollection(),
  ): CollectionView => ({
    ...row,
    files: files.length,
    passages: files.reduce((sum, each) => sum + (each.passages ?? 0), 0),
    bytes: files.reduce((sum, each) => sum + each.bytes, 0),
    usedBy: (users.get(row.name) ?? []).map(({ id, name, title }) => ({ id, name, title })),
  })
  const view = (row: CollectionRow) => factsOf(row, store.files(row.id))
  const searching = { knowledge: store, ...(embeddings && { embeddings }) }
  return {
    names: () => store.collections().map(({ name }) => name),
    list: () => {
      const users = agentsByCollection()
      return { items: store.collections().map((row) => factsOf(row, store.files(row.id), users)) }
    },
    get: (name) => {
      const row = need(name)
      const files = store.files(row.id)
      return { ...factsOf(row, files), list: files.map(fileView) }
    },
    create: ({ name, description = '' }) => {
      if (store.collections().length >= mostCollections)
        throw new AppError('conflict', `There are ${mostCollections} collections already. Remove one first.`)
      const row = { id: newId('col'), name, description, createdAt: now() }
      if (!store.insert(row))
        throw new AppError('name_taken', `There is a collection “${name}” already.`, { path: 'name' })
      return view(row)
    },
    describe: (name, description) => {
      const row = need(name)
      store.describe(row.id, description)
      return view({ ...row, description })
    },
    remove: (name) => store.remove(need(name).id),
    addFile: async (name, { name: fileName, content }, signal) => {
      const { id: collectionId } = need(name)
      const bytes = await collect(fileName, content)
      const known = store.files(collectionId)
      if (known.length >= mostFiles && !known.some((each) => each.name === fileName))
        throw new AppError('conflict', `A collection has at most ${mostFiles} files. Remove one first.`)
      const found = await read({ name: fileName, bytes }, signal)
      if (!found.ok) throw new AppError('unprocessable', found.error, { path: 'name' })
      const { kind, chars, chunks } = found.value
      const id = newId('file')
      // The collection may have been removed while the file was read, and another have its name now.
      if (store.byName(name)?.id !== collectionId) throw removedMeanwhile(name, fileName)
      const row = { id, collectionId, name: fileName, kind, bytes: bytes.length, chars, createdAt: now() }
      store.insertFile({ ...row, passages: null })
      for (let at = 0; at < chunks.length; at += slice) {
        if (at > 0) await turn()
        if (store.file(id) === undefined) throw removedMeanwhile(name, fileName)
        store.addPassages({ id, collectionId }, chunks.slice(at, at + slice))
      }
      if (!store.finishFile(id, chunks.length)) throw removedMeanwhile(name, fileName)
      embeddings?.wake()
      return fileView({ ...row, passages: chunks.length })
    },
    removeFile: (name, fileId) => {
      const { id } = need(name)
      if (store.file(fileId)?.collectionId === id && store.removeFile(fileId)) return
      throw new AppError('not_found', `There is no such file in the collection “${name}”.`)
    },
    search: async ({ collections, query, limit }, signal) => {
      const rows = collections.map((name) => store.byName(name))
      const ids = rows.flatMap((row) => (row === undefined ? [] : [row.id]))
      const missing = collections.filter((_, at) => rows[at] === undefined)
      return { passages: await searchPassages(searching, { ids, query, limit }, signal), missing }
    },
    look: async ({ collections, query, limit = 10 }, signal) => {
      const ids = collections.map((name) => need(name).id)
      const began = performance.now()
      const found = await searchPassages(searching, { ids, query, limit }, signal)
      return {
        terms: questionTerms(query),
        passages: found,
        byMeaning: found.some(({ meaning }) => meaning !== undefined),
        durationMs: Math.round(performance.now() - began),
      }
    },
  }
}

/** The whole file, if it is not too large. */
async function collect(name: string, content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of content) {
    bytes += piece.length
    if (bytes > maxUploadBytes)
      throw new AppError('too_large', `“${name}” is larger than ${bytesInWords(maxUploadBytes)}.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function removedMeanwhile(collection: string, file: string): AppError {
  return new AppError(
    'conflict',
    `The collection “${collection}” was removed while “${file}” was being added, so the file was not kept.`,
  )
}

function fileView({ collectionId: _, passages, ...row }: CollectionFileRow): CollectionFile {
  return { ...row, passages: passages ?? 0 }
}

function newId(kind: 'col' | 'file'): string {
  return `${kind}_${randomBytes(10).toString('hex')}`
}
