/**
 * The databases that tools may read: the sample, which is created on first use,
 * and those a person registered.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { makeRetail } from '#db/samples/retail'
import type { DatabaseSource } from '#lib/sandbox/sql'

export const sampleName = 'retail'

export interface Databases {
  /** Name → source; the sample's file is created on first use. */
  sources(): ReadonlyMap<string, DatabaseSource>
}

export interface DatabaseContext {
  /** The data folder, which contains the sample. */
  readonly data: string
  /** Registered names with their files and connections, read again for each use. */
  registered?(): Readonly<Record<string, DatabaseSource>>
}

export function createDatabases({ data, registered = () => ({}) }: DatabaseContext): Databases {
  const sample = sampleFile(path.join(path.resolve(data), 'databases', `${sampleName}.db`))
  return {
    sources() {
      const sources = new Map<string, DatabaseSource>(Object.entries(registered()))
      sources.set(sampleName, sample)
      return sources
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
