/** Artifacts: files of threads and runs, kept unchanged and found again by id. */
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { storeFault } from '#db/fault'
import { type ArtifactFiles, createArtifactFiles, type ReceivedContent } from '#lib/sandbox/artifact-files'
import { pictureSizeIn } from '#lib/sandbox/picture-size'
import type { Keeper } from '#lib/sandbox/workspace'
import type { Artifact } from '#lib/spec/artifact'
import { AppError } from '#lib/spec/errors'
import type { ArtifactsPort, FileAnswer } from '#lib/spec/sandbox'
import type { ArtifactRow, Stores, ThreadStore } from '#lib/spec/store'
import { plainName } from './file-name'
import { mediaTypeOf } from './media-type'

const mebibyte = 1024 * 1024
/** The size limit of one kept file, bytes. */
const maxBytes = 64 * mebibyte
/** The size limit of all files that one thread keeps, bytes. */
const maxThreadBytes = 1024 * mebibyte

export interface Owner {
  readonly threadId: string
  /** Null for a file that a person gave. */
  readonly runId: string | null
}

/** A file to download; the caller must read `content` to the end or destroy it. */
export interface Download {
  readonly name: string
  readonly mediaType: string
  readonly content: Readable
}

export interface Artifacts {
  /** Keeps files of the owner's workspace. */
  keeper(owner: Owner): Keeper
  /** Keeps files that are in no workspace. */
  port(owner: Owner): ArtifactsPort
  /** Reads a content to its end, to be kept or dropped. Throws errors of the file system and of `content`. */
  take(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedContent | 'too_large'>
  /** Keeps the received content, or drops it and says why. */
  settle(owner: Owner, taken: ReceivedContent, as: Naming): FileAnswer<Artifact>
  /** Files that the run made, in the order in which it made them. */
  ofRun(runId: string): Artifact[]
  /** Throws `not_found`. */
  open(id: string): Promise<Download>
  /**
   * Files that a person adds to a question of the thread. Throws when one is missing
   * or belongs to another thread.
   */
  given(ids: readonly string[], threadId: string | undefined): Artifact[]
  /**
   * Removes the thread from the store unless it is busy, and deletes the contents that nothing else holds.
   */
  removeThread(threadId: string): ReturnType<ThreadStore['remove']>
  /** Deletes the contents of discarded artifacts that nothing else holds. */
  release(): void
  /** Deletes what this database has discarded and an earlier server did not delete; anything else stays. */
  sweep(): Promise<void>
}

/** The name of a kept file; by default the media type is detected. */
interface Naming {
  readonly name: string
  readonly path: string | null
  readonly mediaType?: string
}

interface House {
  readonly stores: Stores
  readonly clock: { now(): number }
  readonly files: ArtifactFiles
  /** Whether every artifact is recorded as a holder of its content. */
  allNoted: boolean
}

export function createArtifacts({
  stores,
  folder,
  clock,
}: {
  stores: Stores
  /** The folder of the contents, absolute. */
  folder: string
  clock: { now(): number }
}): Artifacts {
  const allNoted = stores.settings.get(holdersNoted) === true || stores.artifacts.holders(0, 1).length === 0
  const house: House = { stores, clock, files: createArtifactFiles(folder), allNoted }
  return {
    keeper: (owner) => async (file, given) => {
      const name = given.name === undefined ? path.posix.basename(file.path) : plainName(given.name)
      return keep(house, owner, {
        name,
        path: given.isShown ? null : file.path,
        bytes: file.bytes,
        content: file.content,
      })
    },
    port: (owner) => ({
      async keep({ name, mediaType, content }) {
        const bytes = Buffer.from(content)
        const kept = await keep(house, owner, {
          name: plainName(name),
          path: null,
          mediaType,
          bytes: bytes.byteLength,
          content: Readable.from([bytes]),
        })
        return kept.ok ? kept.value : undefined
      },
      readBase64: (id, maxBytes) => readBase64(house, id, maxBytes),
    }),
    take: house.files.take,
    settle: (owner, taken, as) => settle(house, owner, taken, as),
    ofRun: (runId) =>
      stores.artifacts
        .ofRun(runId)
        .filter((row) => row.path !== null)
        .map(toArtifact),
    open: (id) => open(house, id),
    given: (ids, threadId) =>
      [...new Set(ids)].map((id, index) => givenArtifact(stores, { id, index, threadId })),
    removeThread(threadId) {
      const outcome = stores.threads.remove(threadId)
      if (outcome === 'removed') releaseDiscards(house)
      return outcome
    },
    release: () => releaseDiscards(house),
    async sweep() {
      await noteHolders(house)
      releaseDiscards(house)
    },
  }
}

/** The setting that records that every artifact of this database is a recorded holder of its content. */
const holdersNoted = 'artifact_holders'
/** Holders recorded in one turn of the event loop. */
const holdersAtOnce = 200

/** Records the holders of contents that were kept by a version without such records. */
async function noteHolders(house: House): Promise<void> {
  const { stores, files } = house
  for (let after = 0; !house.allNoted; ) {
    const rows = stores.artifacts.holders(after, holdersAtOnce)
    for (const { id, sha256 } of rows) files.hold(sha256, id)
    const last = rows.at(-1)
    if (last === undefined) house.allNoted = true
    else after = last.n
    await nextTurn()
  }
  if (stores.settings.get(holdersNoted) !== true) stores.settings.set(holdersNoted, true)
}

/** Deletes the contents of discarded artifacts that nothing else holds; the next start retries failures. */
function releaseDiscards({ stores, files, allNoted }: House): void {
  // Until every holder is recorded, an artifact in a backup of this database may hold a content unrecorded.
  if (!allNoted) return
  const released = stores.discards
    .contents()
    .filter(({ id, sha256 }) =>
      succeeds(() => files.release(sha256, id, stores.artifacts.hasContent(sha256))),
    )
  forgetDiscards(
    stores,
    released.map(({ id }) => id),
  )
}

/** Whether the work succeeds; false on a failure of the file system, while other errors are thrown. */
function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isSystemFault(error)) throw error
    return false
  }
}

/** Discards that cannot be removed now are processed again at the next start, which does no harm. */
export function forgetDiscards({ discards }: Stores, ids: readonly string[]): void {
  if (ids.length === 0) return
  try {
    discards.done(ids)
  } catch (error) {
    if (storeFault(error) === undefined) throw error
  }
}

interface Given extends Naming {
  readonly bytes: number
  readonly content: AsyncIterable<Uint8Array>
}

async function keep(house: House, owner: Owner, given: Given): Promise<FileAnswer<Artifact>> {
  // The quota is checked before the file is read and again afterwards, since the thread may have grown.
  const full = fullness(house, owner, given.bytes)
  if (full !== undefined) return full
  try {
    const taken = await house.files.take(given.content, maxBytes)
    if (taken === 'too_large')
      return fault(
        'too_large',
        `The file is larger than ${maxBytes / mebibyte} MiB, the limit for a kept file.`,
      )
    return settle(house, owner, taken, given)
  } catch (error) {
    if (!isSystemFault(error)) throw error
    return fault('unavailable', 'The file cannot be kept just now: the disk is full or not writable.')
  }
}

/** Synchronous, so that the removal of another thread cannot delete the content in between. */
function settle(house: House, owner: Owner, taken: ReceivedContent, as: Naming): FileAnswer<Artifact> {
  const { stores, clock, files } = house
  const full = fullness(house, owner, taken.bytes)
  if (full !== undefined) {
    taken.drop()
    return full
  }
  const { sha256, bytes } = taken
  const mediaType = as.mediaType ?? mediaTypeOf(as.name, taken.head)
  const picture = mediaType.startsWith('image/') ? pictureSizeIn(taken.head) : undefined
  const artifact: Artifact = {
    id: `artifact_${randomBytes(10).toString('hex')}`,
    name: as.name,
    path: as.path,
    mediaType,
    bytes,
    ...(picture && { picture }),
  }
  const known = stores.artifacts.hasContent(sha256)
  try {
    taken.keep(artifact.id, known)
    stores.artifacts.insert({ ...artifact, ...owner, sha256, createdAt: clock.now() })
    return { ok: true, value: artifact }
  } catch (error) {
    // If the disk fails here as well, a content without an artifact is left behind.
    succeeds(() => {
      taken.drop()
      files.release(sha256, artifact.id, known)
    })
    if (storeFault(error) === undefined && !isSystemFault(error)) throw error
    return fault('unavailable', 'The file cannot be kept just now: the disk is full, locked or not writable.')
  }
}

function fullness({ stores }: House, { threadId }: Owner, bytes: number): FileAnswer<never> | undefined {
  if (stores.artifacts.bytesOf(threadId) + bytes <= maxThreadBytes) return undefined
  return fault(
    'quota',
    `A thread keeps at most ${maxThreadBytes / mebibyte} MiB of files, and this file would exceed the limit.`,
  )
}

function fault(
  code: 'too_large' | 'quota' | 'unavailable',
  message: string,
): Extract<FileAnswer<never>, { ok: false }> {
  return { ok: false, code, message }
}

/** Failures of the file system have a code; bugs have none. */
export function isSystemFault(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^E[A-Z]+$/.test(String(error.code))
}

function toArtifact({ id, name, path, mediaType, bytes, picture }: ArtifactRow): Artifact {
  return { id, name, path, mediaType, bytes, ...(picture && { picture }) }
}

async function open({ stores, files }: House, id: string): Promise<Download> {
  const row = stores.artifacts.get(id)
  const content = row && (await files.open(row.sha256))
  if (content === undefined) throw new AppError('not_found', 'There is no such file.')
  return { name: row?.name ?? id, mediaType: row?.mediaType ?? '', content }
}

async function readBase64(
  { stores, files }: House,
  id: string,
  maxBytes: number,
): Promise<string | undefined> {
  const row = stores.artifacts.get(id)
  const content = row && row.bytes <= maxBytes && (await files.open(row.sha256))
  if (!content) return undefined
  try {
    const chunks: Buffer[] = []
    for await (const chunk of content) chunks.push(chunk)
    return Buffer.concat(chunks).toString('base64')
  } catch (error) {
    if (!isSystemFault(error)) throw error
    return undefined
  }
}

function givenArtifact(
  stores: Stores,
  { id, index, threadId }: { id: string; index: number; threadId: string | undefined },
): Artifact {
  const at = { path: `files/${index}` }
  if (threadId === undefined)
    throw new AppError('bad_request', 'Files belong to a thread. Name the thread in "threadId".', at)
  const row = stores.artifacts.get(id)
  if (row === undefined) throw new AppError('not_found', `There is no file "${id}".`, at)
  if (row.threadId !== threadId)
    throw new AppError('conflict', `The file "${id}" belongs to another thread.`, at)
  if (row.path === null) throw new AppError('conflict', `The file "${id}" is not in a workspace.`, at)
  const description = stores.artifacts.descriptions(row.threadId).get(row.path)
  return { ...toArtifact(row), ...(description !== undefined && { description }) }
}
