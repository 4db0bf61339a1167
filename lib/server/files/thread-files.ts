/** The workspaces of threads: what people upload and download, and what runs can access. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { ReceivedContent } from '#lib/sandbox/artifact-files'
import { createWorkspace, filesPort, type Workspace } from '#lib/sandbox/workspace'
import { copyWorkspace } from '#lib/sandbox/workspace-copy'
import type { Artifact } from '#lib/spec/artifact'
import { AppError, type ErrorCode, isAppError } from '#lib/spec/errors'
import type { FileAnswer, FileFault } from '#lib/spec/sandbox'
import type { Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import { type FileList, maxUploadBytes } from '#lib/wire/artifacts'
import { bytesInWords } from '#lib/wire/json'
import { type Artifacts, type Download, forgetDiscards, isSystemFault } from './artifacts'
import { describedFiles } from './described-files'
import { plainName } from './file-name'

export interface Upload {
  readonly name: string
  /** What the file is. */
  readonly description?: string | undefined
  readonly content: AsyncIterable<Uint8Array>
}

/** Expected failures are thrown as AppError. */
export interface ThreadFiles {
  /** Every file of the thread's workspace, sorted by path. */
  list(threadId: string): Promise<FileList>
  /** Keeps the file and puts it into the workspace, under a plain name that is not taken. */
  upload(threadId: string, file: Upload): Promise<Artifact>
  /** Says what a file of the workspace is; an empty description removes what was said. */
  describe(threadId: string, path: string, description: string): Promise<void>
  /** A file of the workspace as it is now. */
  open(threadId: string, path: string): Promise<Download>
}

/** The members that only the server itself uses. */
export interface Workspaces extends ThreadFiles {
  /** The ports through which the run's tools access files; without a run, those of a tool tried by hand. */
  ports(
    row: { readonly id: string | null; readonly threadId: string },
    /** The folder of the workspace that its paths begin in; default: the workspace itself. */
    within?: readonly string[],
  ): Pick<ToolPorts, 'files' | 'artifacts'>
  /**
   * Copies the present workspace of one thread for a thread that is about to be created. Throws
   * when the disk cannot be written.
   */
  copy(from: string, to: string): Promise<void>
  /** Removes the thread's workspace with all its contents. */
  remove(threadId: string): Promise<void>
  /**
   * Deletes workspaces that this database has discarded and an earlier server did not
   * delete; any other one stays.
   */
  sweep(): Promise<void>
}

interface Context {
  readonly stores: Stores
  readonly artifacts: Artifacts
  /** Contains one folder per workspace, named after its thread; absolute. */
  readonly folder: string
  /**
   * Called with one sentence about workspaces that no thread of this database has;
   * the default is `console.warn`.
   */
  readonly report?: (sentence: string) => void
}

/** Workspaces kept in memory, so that all users of a workspace share one object. */
const maxAtHand = 256

/** The folder of incomplete copies; those of an earlier server are deleted. */
const incoming = 'incoming'

export function createThreadFiles({ stores, artifacts, folder, report = console.warn }: Context): Workspaces {
  const atHand = new Map<string, Workspace>()
  const placeOf = (threadId: string) => path.join(folder, threadId)
  rmSync(path.join(folder, incoming), { recursive: true, force: true })

  /** @param place the thread, or a folder of its workspace */
  function workspaceOf(place: string): Workspace {
    const workspace = atHand.get(place) ?? createWorkspace(placeOf(place))
    atHand.delete(place)
    atHand.set(place, workspace)
    const [oldest] = atHand.keys()
    if (atHand.size > maxAtHand && oldest !== undefined) atHand.delete(oldest)
    return workspace
  }

  function known(threadId: string): Workspace {
    if (stores.threads.get(threadId) === undefined) throw missing()
    return workspaceOf(threadId)
  }

  async function remove(threadId: string): Promise<void> {
    for (const place of atHand.keys())
      if (place === threadId || place.startsWith(`${threadId}/`)) atHand.delete(place)
    await rm(placeOf(threadId), { recursive: true, force: true, maxRetries: 2 })
    forgetDiscards(stores, [threadId])
  }

  return {
    async list(threadId) {
      const { entries, truncated } = valueOrThrow(await known(threadId).list('', { deep: true }))
      const files = entries.filter((each) => each.kind === 'file')
      const descriptions = stores.artifacts.descriptions(threadId)
      return {
        items: files.map(({ path: at, bytes }) => ({ path: at, bytes, ...said(descriptions.get(at)) })),
        truncated,
      }
    },

    async upload(threadId, { name, description = '', content }) {
      const workspace = known(threadId)
      const taken = await taking(artifacts, content)
      const plain = plainName(name)
      try {
        const wanted = { folder: 'uploads', name: plain, bytes: taken.bytes }
        const { path: at } = valueOrThrow(await workspace.add(wanted, taken.read()))
        if (stores.threads.get(threadId) === undefined) {
          await remove(threadId)
          throw missing()
        }
        const kept = artifacts.settle({ threadId, runId: null }, taken, { name: plain, path: at })
        if (!kept.ok) await workspace.remove(at)
        const artifact = valueOrThrow(kept)
        // Also without one: an earlier file of this name may have left its own.
        stores.artifacts.describe(threadId, at, description)
        return { ...artifact, ...said(description || undefined) }
      } finally {
        taken.drop()
      }
    },

    async describe(threadId, at, description) {
      const file = valueOrThrow(await known(threadId).open(at))
      file.content.destroy()
      stores.artifacts.describe(threadId, file.path, description)
    },

    async open(threadId, at) {
      const file = valueOrThrow(await known(threadId).open(at))
      return {
        name: path.posix.basename(file.path),
        mediaType: 'application/octet-stream',
        content: file.content,
      }
    },

    ports({ id: runId, threadId }, within = []) {
      const owner = { threadId, runId }
      const keep = artifacts.keeper(owner)
      const place = [threadId, ...within].join('/')
      const above = within.map((name) => `${name}/`).join('')
      // Kept files are named by their place in the whole workspace.
      const keeper: typeof keep = (file, options) => keep({ ...file, path: above + file.path }, options)
      const files = filesPort(workspaceOf(place), keeper)
      return {
        files: describedFiles(files, stores.artifacts, { threadId, above }),
        artifacts: artifacts.port(owner),
      }
    },

    async copy(from, to) {
      const copy = path.join(folder, incoming, to)
      try {
        await copyWorkspace(placeOf(from), copy)
        if (existsSync(copy)) await rename(copy, placeOf(to))
      } catch (error) {
        await rm(copy, { recursive: true, force: true })
        if (!isSystemFault(error)) throw error
        throw new AppError(
          'unavailable',
          'The workspace cannot be copied just now: the disk is full or not writable.',
        )
      }
    },

    remove,

    async sweep() {
      for (const id of stores.discards.workspaces()) await remove(id).catch(passSystemFault)
      const unknown = namesIn(folder).filter((id) => id !== incoming && stores.threads.get(id) === undefined)
      if (unknown.length > 0)
        report(
          `${folder}: ${unknown.length === 1 ? 'one workspace belongs' : `${unknown.length} workspaces belong`} to no thread of this database, which can happen after the database was replaced; nothing is deleted.`,
        )
    },
  }
}

function said(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}

/** What cannot be deleted now is deleted at the next start. */
function passSystemFault(error: unknown): void {
  if (!isSystemFault(error)) throw error
}

async function taking(artifacts: Artifacts, content: AsyncIterable<Uint8Array>): Promise<ReceivedContent> {
  try {
    const taken = await artifacts.take(unbroken(content), maxUploadBytes)
    if (taken !== 'too_large') return taken
  } catch (error) {
    if (isSystemFault(error))
      throw new AppError(
        'unavailable',
        'The file cannot be stored just now: the disk is full or not writable.',
      )
    throw error
  }
  throw new AppError('too_large', `The file is larger than ${bytesInWords(maxUploadBytes)}.`)
}

/** An upload that the sender breaks off is not an error of the server. */
async function* unbroken(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* content
  } catch (error) {
    if (isAppError(error)) throw error
    throw new AppError('bad_request', 'The upload ended before the file was complete.')
  }
}

const errorOf = {
  bad_path: 'bad_request',
  outside: 'bad_request',
  not_found: 'not_found',
  not_a_file: 'bad_request',
  not_a_folder: 'bad_request',
  exists: 'conflict',
  not_empty: 'conflict',
  not_text: 'bad_request',
  too_large: 'too_large',
  quota: 'too_large',
  unavailable: 'unavailable',
} as const satisfies Record<FileFault, ErrorCode>

function valueOrThrow<T>(answer: FileAnswer<T>): T {
  if (answer.ok) return answer.value
  throw new AppError(errorOf[answer.code], answer.message)
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such thread.')
}

function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
