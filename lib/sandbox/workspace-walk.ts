/** Walks through a workspace: lists its entries and measures how much of the quota is used. */
import type { Stats } from 'node:fs'
import { lstat, unlink } from 'node:fs/promises'
import type { Folder } from './workspace-folder'
import { isUnfinished } from './workspace-path'

const mebibyte = 1024 * 1024
export const quota = { bytes: 500 * mebibyte, entries: 10_000, depth: 32 } as const

/** An entry during the walk; `at` is valid until the walk continues. */
export interface Found {
  /** The path below the folder where the walk started, with `/`. */
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly bytes: number
  readonly changedAt: number
  readonly at: string
}

/**
 * The entries of the folder, in no particular order; with `deep`, also those below. Links are reported as
 * `other` and never followed.
 */
export async function* walk(
  folder: Folder,
  deep: boolean,
  above: readonly string[] = [],
): AsyncGenerator<Found> {
  for await (const name of folder.names()) {
    const at = folder.at(name)
    // The entry has disappeared since its name was read.
    const stats = await lstat(at).catch(() => undefined)
    if (stats === undefined) continue
    const names = [...above, name]
    const kind = kindOf(stats)
    const bytes = kind === 'file' ? stats.size : 0
    yield { path: names.join('/'), name, kind, bytes, changedAt: stats.mtimeMs, at }
    if (!deep || kind !== 'folder' || names.length >= quota.depth) continue
    const inner = await folder.enter(name).catch(() => undefined)
    if (inner === undefined) continue
    try {
      yield* walk(inner, deep, names)
    } finally {
      await inner.close()
    }
  }
}

export function kindOf(stats: Stats): Found['kind'] {
  if (stats.isFile()) return 'file'
  return stats.isDirectory() ? 'folder' : 'other'
}

/**
 * The number of writes after which the disk is measured again, because others may write to the workspace too.
 */
const trusted = 256
/** A partial write this old is no longer in progress; a crash cut it off. */
const staleMs = 10 * 60_000

/** A file that this process writes never counts as left over, even if the clock is set forward. */
function isLeft(changedAt: number): boolean {
  return changedAt < performance.timeOrigin && Date.now() - changedAt > staleMs
}

/** The known use of the quota; it is measured again before anything is refused. */
export class QuotaUsage {
  private bytes = 0
  private entries = 0
  private writes = trusted

  /** Whether this much more fits. */
  async hasRoom(
    more: { bytes: number; entries: number },
    root: () => Promise<Folder | undefined>,
  ): Promise<boolean> {
    if (this.writes < trusted && this.fits(more)) return true
    await this.look(root)
    return this.fits(more)
  }

  changed(bytes: number, entries: number): void {
    this.bytes += bytes
    this.entries += entries
    this.writes += 1
  }

  /** Measures again before the next change. */
  forget(): void {
    this.writes = trusted
  }

  private fits(more: { bytes: number; entries: number }): boolean {
    return this.bytes + more.bytes <= quota.bytes && this.entries + more.entries <= quota.entries
  }

  private async look(open: () => Promise<Folder | undefined>): Promise<void> {
    this.bytes = 0
    this.entries = 0
    this.writes = 0
    const root = await open()
    if (root === undefined) return
    try {
      for await (const found of walk(root, true)) {
        if (isUnfinished(found.name) && isLeft(found.changedAt)) {
          await unlink(found.at).catch(() => undefined)
          continue
        }
        this.bytes += found.bytes
        this.entries += 1
        if (this.entries > quota.entries) return
      }
    } finally {
      await root.close()
    }
  }
}
