/** Folders as collections, for the command line: read into a database that lasts as long as the program. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openStores } from '#db/open'
import { isAppError, type Result } from '#lib/spec/errors'
import { collectionName } from '#lib/spec/recall'
import type { KnowledgePort } from '#lib/spec/recall-port'
import type { Stores } from '#lib/spec/store'
import { createKnowledge, type Knowledge } from './knowledge'

export interface FolderKnowledge {
  readonly port: KnowledgePort
  close(): void
}

const endings = new Set(['.txt', '.md', '.markdown', '.html', '.htm', '.pdf', '.docx'])

interface Opening {
  /** Folders are named relative to it. */
  readonly from: string
  /** The other collections: a folder takes the place of one of the same name. */
  readonly beside: KnowledgePort
  /** Says what was left out, and why. */
  warn(sentence: string): void
}

/** Each of `given` is `name=folder`. The error is one sentence. What cannot be read is left out. */
export async function openFolders(
  given: readonly string[],
  opening: Opening,
): Promise<Result<FolderKnowledge, string>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loopwright-knowledge-'))
  let stores: Stores | undefined
  const close = () => {
    stores?.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    stores = openStores(path.join(folder, 'loopwright.db'))
    const knowledge = createKnowledge({
      store: stores.knowledge,
      agents: { heads: () => [], get: () => undefined },
      now: Date.now,
    })
    for (const each of given) {
      const error = await readFolder(each, knowledge, opening)
      if (error !== undefined) {
        close()
        return { ok: false, error }
      }
    }
    return { ok: true, value: { port: joined(knowledge, opening.beside), close } }
  } catch (error) {
    close()
    throw error
  }
}

/** Reads one `name=folder`. Returns what is wrong with it in one sentence. */
async function readFolder(
  given: string,
  knowledge: Knowledge,
  { from, warn }: Opening,
): Promise<string | undefined> {
  const at = given.indexOf('=')
  const name = collectionName.safeParse(given.slice(0, Math.max(0, at))).data
  if (name === undefined) return `--knowledge ${given}: give a name and a folder, as in handbook=docs.`
  const place = path.resolve(from, given.slice(at + 1))
  if (!knowledge.names().includes(name)) knowledge.create({ name })
  const files = await filesIn(place, '', warn)
  if (files === undefined) return `--knowledge ${given}: the folder ${place} cannot be read.`
  for (const file of files) {
    const content = createReadStream(path.join(place, file))
    // Whoever reads it gets its error; a file that is refused before is not read.
    content.on('error', () => {})
    try {
      await knowledge.addFile(name, { name: file, content }, new AbortController().signal)
    } catch (error) {
      warn(leftOut(file, error))
    } finally {
      content.destroy()
    }
  }
  return undefined
}

/** The documents in a folder and the folders within, sorted; undefined when it cannot be read. */
async function filesIn(place: string, within: string, warn: Opening['warn']): Promise<string[] | undefined> {
  const files: string[] = []
  const entries = await readdir(path.join(place, within), { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) return undefined
  for (const entry of entries) {
    const name = path.posix.join(within, entry.name)
    if (entry.isDirectory()) {
      const inner = await filesIn(place, name, warn)
      if (inner === undefined) warn(`The folder “${name}” cannot be read, so it was left out.`)
      else files.push(...inner)
    } else if (endings.has(path.extname(name).toLowerCase())) files.push(name)
  }
  return files.sort()
}

/** Anything but a file that cannot be read is a bug. */
function leftOut(file: string, error: unknown): string {
  if (isAppError(error)) return `${error.message} It was left out.`
  if (error instanceof Error && 'code' in error)
    return `“${file}” cannot be read (${String(error.code)}), so it was left out.`
  throw error
}

/** Searches both, each for the collections that it has; the first has those that are in both. */
function joined(first: KnowledgePort, second: KnowledgePort): KnowledgePort {
  return {
    names: () => [...new Set([...first.names(), ...second.names()])],
    search: async ({ collections, ...asked }, signal) => {
      const own = new Set(first.names())
      const [here, there] = await Promise.all([
        first.search({ ...asked, collections: collections.filter((each) => own.has(each)) }, signal),
        second.search({ ...asked, collections: collections.filter((each) => !own.has(each)) }, signal),
      ])
      // Scores of two databases cannot be compared, places in their lists can.
      const length = Math.max(here.passages.length, there.passages.length)
      const passages = Array.from({ length }, (_, at) => [here.passages[at], there.passages[at]])
        .flat()
        .filter((each) => each !== undefined)
      return { passages: passages.slice(0, asked.limit), missing: there.missing }
    },
  }
}
