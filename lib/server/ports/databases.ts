/** The SQLite databases that tools may read: the sample that makes itself on first use, and those a person registered. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeRetail } from '#db/samples/retail'
import type { DatabaseFile } from '#lib/sandbox/sql'

export const sampleName = 'retail'

export interface Databases {
  /** Name → file; the sample's file is made by the first to ask. */
  files(): ReadonlyMap<string, DatabaseFile>
}

export interface DatabaseContext {
  /** The data folder; the sample stands below it. */
  readonly data: string
  /** Names and absolute paths as registered, read anew for each use. */
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

/** Made once, however many ask at the same time; a failure is told and tried again by the next. */
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
