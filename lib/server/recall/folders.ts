/** Folders as collections, for the command line: read into a database that lasts as long as the program. */
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openStores } from '#db/open'
import type { Result } from '#lib/spec/errors'
import { isAppError } from '#lib/spec/errors'
import { collectionName } from '#lib/spec/recall'
import type { KnowledgePort } from '#lib/spec/recall-port'
import { createKnowledge } from './knowledge'

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
  { from, beside, warn }: Opening,
): Promise<Result<FolderKnowledge, string>> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'loopwright-knowledge-'))
  const stores = openStores(path.join(folder, 'loopwright.db'))
  const close = () => {
    stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const refuse = (error: string): Result<never, string> => {
    close()
    return { ok: false, error }
  }
  const knowledge = createKnowledge({
    store: stores.knowledge,
    agents: { heads: () => [], get: () => undefined },
    now: Date.now,
  })
  for (const each of given) {
    const at = each.indexOf('=')
    const name = collectionName.safeParse(each.slice(0, Math.max(0, at))).data
    if (name === undefined)
      return refuse(`--knowledge ${each}: give a name and a folder, as in handbook=docs.`)
    const place = path.resolve(from, each.slice(at + 1))
    if (!knowledge.names().includes(name)) knowledge.create({ name })
    const files = await filesIn(place, '', warn)
    if (files === undefined) return refuse(`--knowledge ${each}: the folder ${place} cannot be read.`)
    for (const file of files) {
      const added = { name: file, content: createReadStream(path.join(place, file)) }
      try {
        await knowledge.addFile(name, added, new AbortController().signal)
      } catch (error) {
        warn(leftOut(file, error))
      }
    }
  }
  return { ok: true, value: { port: joined(knowledge, beside), close } }
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
