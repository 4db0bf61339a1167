/**
 * The SQLite databases that tools may read: the sample, which is created on first use,
 * and those a person registered.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeRetail } from '#db/samples/retail'
import type { DatabaseFile } from '#lib/sandbox/sql'

export const sampleName = 'retail'

export interface Databases {
  /** Name → file; the sample's file is created on first use. */
  files(): ReadonlyMap<string, DatabaseFile>
}

export interface DatabaseContext {
  /** The data folder, which contains the sample. */
  readonly data: string
  /** Registered names and absolute paths, read again for each use. */
  registered?(): Readonly<Record<string, string>>
}

export function createDatabases({ data, registered = () => ({}) }: DatabaseContext): Databases {
  const sample = sampleFile(path.join(path.resolve(data), 'databases', `${sampleName}.db`))
  return {
    files() {
      const files = new Map<string, DatabaseFile>(Object.entries(registered()))
      files.set(sampleName, sample)
      return files
    },
  }
}

/**
 * Concurrent callers share one creation. A failure rejects for all of them, and the next caller tries again.
 */
function sampleFile(file: string): () => Promise<string> {
  let making: Promise<void> | undefined
  return async () => {
    if (existsSync(file)) return file
    making ??= makeRetail(file).finally(() => {
      making = undefined
    })
    await making
    return file
  }
}
