/** Folders as collections, for the command line: read into a database that lasts as long as the program. */
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
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

/**
 * Each of `given` is `name=folder`, relative to `from`. The error is one sentence. A file that cannot be read is
 * told with `warn`, and the others are there.
 */
export async function openFolders(
  given: readonly string[],
  { from, warn }: { readonly from: string; warn(sentence: string): void },
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
    try {
      const files = (await readdir(place, { recursive: true })).sort()
      for (const file of files) {
        if (!endings.has(path.extname(file).toLowerCase())) continue
        const content = oneOf(await readFile(path.join(place, file)))
        try {
          const added = { name: file.split(path.sep).join('/'), content }
          await knowledge.addFile(name, added, new AbortController().signal)
        } catch (error) {
          if (!isAppError(error)) throw error
          warn(error.message)
        }
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
      return refuse(`--knowledge ${each}: the folder ${place} cannot be read.`)
    }
  }
  return { ok: true, value: { port: knowledge, close } }
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
