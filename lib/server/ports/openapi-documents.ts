/**
 * The OpenAPI documents of this server: their facts are in the settings, and what was read of each is a file of the
 * data folder.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { AppError, type Result } from '#lib/spec/errors'
import { isObject, type JsonObject, tryParseJson } from '#lib/spec/json'
import { type ApiDocument, type DocumentOperation, documentName } from '#lib/spec/openapi'
import type { OpenapiPort } from '#lib/spec/openapi-port'
import type { WebPort } from '#lib/spec/sandbox'
import type { AgentStore, SettingsStore } from '#lib/spec/store'
import {
  type AddedOpenapiDocument,
  type AddOpenapiDocument,
  mostDocumentBytes,
  type OpenapiDocumentDetail,
  type OpenapiDocumentList,
  type OpenapiDocumentView,
  type ResolvedOperations,
} from '#lib/wire/openapi-documents'
import { agentsBy } from '../agents/agents-by'

const key = 'openapi-documents'
const mostDocuments = 100

const stored = z.record(
  documentName,
  z.object({
    title: z.string(),
    version: z.string(),
    format: z.enum(['3.0', '3.1']),
    hash: z.string(),
    url: z.string().nullable(),
    operations: z.int(),
    unusable: z.int(),
    updatedAt: z.int(),
  }),
)
type Stored = z.infer<typeof stored>[string]

/** All methods throw AppErrors. */
export interface OpenapiDocuments extends OpenapiPort {
  list(): OpenapiDocumentList
  get(name: string): OpenapiDocumentDetail
  /** Reads the document and says what adding it would change; nothing is stored. */
  preview(request: AddOpenapiDocument, signal: AbortSignal): Promise<AddedOpenapiDocument>
  /** Adds the document, or replaces the one of this name. */
  add(request: AddOpenapiDocument, signal: AbortSignal): Promise<AddedOpenapiDocument>
  /** The same, but stores nothing when there is a document of this name with other operations. */
  addUnlessOther(
    request: AddOpenapiDocument,
    signal: AbortSignal,
  ): Promise<AddedOpenapiDocument & { readonly isAdded: boolean }>
  remove(name: string): void
  resolve(name: string, names: readonly string[]): ResolvedOperations
}

interface DocumentsContext {
  readonly settings: SettingsStore
  /** The data folder. */
  readonly folder: string
  readonly agents: Pick<AgentStore, 'heads' | 'get'>
  readonly web: Pick<WebPort, 'fetch'>
  /** Reads the text of a document; the error is one sentence. */
  read(text: string, signal: AbortSignal): Promise<Result<ApiDocument, string>>
  readonly now: () => number
}

export function createOpenapiDocuments(context: DocumentsContext): OpenapiDocuments {
  const { settings, folder, agents, web, read, now } = context
  const files = path.join(folder, 'openapi')
  const fileOf = (name: string) => path.join(files, `${name}.json`)
  // What was read from files, until the document changes.
  const documents = new Map<string, { readonly hash: string; readonly document: ApiDocument }>()
  const hashes = new Map<string, { readonly hash: string; readonly map: ReadonlyMap<string, string> }>()

  const known = (): Record<string, Stored> => stored.safeParse(settings.get(key) ?? {}).data ?? {}

  const documentOf = (name: string, { hash }: Stored): ApiDocument | undefined => {
    const held = documents.get(name)
    if (held?.hash === hash) return held.document
    const found = readStored(fileOf(name))
    if (found?.hash !== hash) return undefined
    documents.set(name, found)
    return found.document
  }
  const need = (name: string): { facts: Stored; document: ApiDocument } => {
    const facts = known()[name]
    if (facts === undefined)
      throw new AppError('not_found', `There is no OpenAPI document “${name.slice(0, 100)}” here.`)
    const document = documentOf(name, facts)
    if (document !== undefined) return { facts, document }
    throw new AppError('unprocessable', `The stored document “${name}” cannot be read. Add it again.`)
  }
  const agentsByDocument = () =>
    agentsBy(agents, ({ kind, config }) => {
      const { document } = config
      const named = kind === 'tool:openapi' && isObject(document) ? document.name : undefined
      return typeof named === 'string' ? [named] : []
    })
  const view = (name: string, facts: Stored, users = agentsByDocument()): OpenapiDocumentView => ({
    name,
    ...facts,
    usedBy: (users.get(name) ?? []).map(({ id, name, title }) => ({ id, name, title })),
  })

  const readNew = async ({ name, text, url }: AddOpenapiDocument, signal: AbortSignal) => {
    const all = known()
    if (all[name] === undefined && Object.keys(all).length >= mostDocuments)
      throw new AppError('conflict', `There are ${mostDocuments} documents already. Remove one first.`)
    const given = text ?? (await fetchText(web, url ?? '', signal))
    if (Buffer.byteLength(given) > mostDocumentBytes) throw tooLarge()
    const found = await read(given, signal)
    if (!found.ok)
      throw new AppError('unprocessable', found.error, { path: url === undefined ? 'text' : 'url' })
    const present = known()[name]
    const before = present && documentOf(name, present)
    const { title, version, format, operations } = found.value
    const facts: Stored = {
      ...{ title, version, format },
      hash: `sha256:${createHash('sha256').update(given).digest('hex')}`,
      url: url ?? null,
      operations: operations.length,
      unusable: operations.filter(({ problem }) => problem !== undefined).length,
      updatedAt: now(),
    }
    const changes = before === undefined ? null : changesBetween(before.operations, operations)
    return { facts, document: found.value, changes }
  }

  const store = (name: string, { facts, document, changes }: Awaited<ReturnType<typeof readNew>>) => {
    writeStored(files, fileOf(name), { hash: facts.hash, document })
    settings.set(key, { ...known(), [name]: facts })
    documents.delete(name)
    return { document: view(name, facts), changes }
  }

  return {
    list: () => {
      const users = agentsByDocument()
      const sorted = Object.entries(known()).toSorted(([a], [b]) => (a < b ? -1 : 1))
      return { items: sorted.map(([name, facts]) => view(name, facts, users)) }
    },
    get: (name) => {
      const { facts, document } = need(name)
      return {
        ...view(name, facts),
        servers: [...document.servers],
        schemes: [...document.schemes],
        list: document.operations.map(faceOf),
      }
    },
    preview: async (request, signal) => {
      const { facts, changes } = await readNew(request, signal)
      return { document: view(request.name, facts), changes }
    },
    add: async (request, signal) => store(request.name, await readNew(request, signal)),
    addUnlessOther: async (request, signal) => {
      const { name } = request
      const found = await readNew(request, signal)
      const { facts, changes } = found
      const isOther = changes !== null && Object.values(changes).some((each) => each.length > 0)
      if (isOther) return { document: view(name, facts), changes, isAdded: false }
      return { ...store(name, found), isAdded: true }
    },
    remove: (name) => {
      const { [name]: gone, ...rest } = known()
      if (gone === undefined)
        throw new AppError('not_found', `There is no OpenAPI document “${name.slice(0, 100)}” here.`)
      settings.set(key, rest)
      documents.delete(name)
      rmSync(fileOf(name), { force: true })
    },
    resolve: (name, names) => {
      const { facts, document } = need(name)
      const byName = new Map(document.operations.map((each) => [each.name, each]))
      const items = names.flatMap((each) => {
        const operation = byName.get(each)
        return operation === undefined || operation.problem !== undefined ? [] : [definitionOf(operation)]
      })
      return { hash: facts.hash, items }
    },
    hashes: (name) => {
      const facts = known()[name]
      if (facts === undefined) return undefined
      const held = hashes.get(name)
      if (held?.hash === facts.hash) return held.map
      const document = documentOf(name, facts)
      if (document === undefined) return undefined
      const map = new Map(document.operations.map(({ name: operation, hash }) => [operation, hash]))
      hashes.set(name, { hash: facts.hash, map })
      return map
    },
  }
}

function faceOf({
  description: _text,
  parameters: _schema,
  inputs: _inputs,
  body: _body,
  ...face
}: DocumentOperation) {
  return { ...face, tags: [...face.tags], security: face.security.map((each) => [...each]) }
}

function definitionOf({
  summary: _summary,
  tags: _tags,
  isDeprecated: _old,
  problem: _none,
  ...rest
}: DocumentOperation) {
  return rest
}

function changesBetween(before: readonly DocumentOperation[], after: readonly DocumentOperation[]) {
  const was = new Map(before.map(({ name, hash }) => [name, hash]))
  const is = new Map(after.map(({ name, hash }) => [name, hash]))
  return {
    added: [...is.keys()].filter((name) => !was.has(name)),
    changed: [...is].flatMap(([name, hash]) => (was.has(name) && was.get(name) !== hash ? [name] : [])),
    removed: [...was.keys()].filter((name) => !is.has(name)),
  }
}

async function fetchText(web: Pick<WebPort, 'fetch'>, url: string, signal: AbortSignal): Promise<string> {
  const headers = {
    accept: 'application/json, application/yaml, text/yaml, */*;q=0.5',
    'user-agent': 'Loopwright',
  }
  const answer = await web.fetch({ url, headers, maxBytes: mostDocumentBytes }, signal)
  if (!answer.ok) throw new AppError('unprocessable', answer.message, { path: 'url' })
  const { status, body } = answer.value
  if (status < 200 || status > 299)
    throw new AppError('unprocessable', `The address answered with status ${status}.`, { path: 'url' })
  return new TextDecoder().decode(body)
}

function tooLarge(): AppError {
  return new AppError('too_large', 'The document is larger than 10 MB.', { path: 'text' })
}

function readStored(file: string): { hash: string; document: ApiDocument } | undefined {
  try {
    const value = tryParseJson(readFileSync(file, 'utf8')) as JsonObject | undefined // cast: the server's own file
    if (typeof value?.hash !== 'string' || typeof value.document !== 'object') return undefined
    return { hash: value.hash, document: value.document as unknown as ApiDocument } // cast: as it was written
  } catch {
    return undefined
  }
}

/** The whole file or nothing: the settings name its hash, so that a file of another time is not used. */
function writeStored(folder: string, file: string, value: { hash: string; document: ApiDocument }): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const part = `${file}.part`
  writeFileSync(part, JSON.stringify(value), { mode: 0o600 })
  renameSync(part, file)
}
