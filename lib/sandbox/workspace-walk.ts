/** Looks through a workspace: what stands in it, and how much of its quota is used. */
import type { Stats } from 'node:fs'
import { lstat, unlink } from 'node:fs/promises'
import type { Folder } from './workspace-folder'
import { isUnfinished } from './workspace-path'

const mebibyte = 1024 * 1024
export const quota = { bytes: 500 * mebibyte, entries: 10_000, depth: 32 } as const

/** An entry while it is looked at; `at` is good until the walk goes on. */
export interface Found {
  /** Below the folder where the walk began, with `/`. */
  readonly path: string
  readonly name: string
  readonly kind: 'file' | 'folder' | 'other'
  readonly bytes: number
  readonly changedAt: number
  readonly at: string
}

/** Entries of the folder, in no order; with `deep` those below as well. Links are told as `other`, never followed. */
export async function* walk(
  folder: Folder,
  deep: boolean,
  above: readonly string[] = [],
): AsyncGenerator<Found> {
  for await (const name of folder.names()) {
    const at = folder.at(name)
    // Gone since it was named.
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

/** Writes after which the disk is looked at again: others may write to the workspace as well. */
const trusted = 256
/** A write that was cut off, by a crash, this long ago is not going on any more. */
const staleMs = 10 * 60_000

/** Nothing that this process writes is ever old enough, though somebody sets the clock forward. */
function isLeft(changedAt: number): boolean {
  return changedAt < performance.timeOrigin && Date.now() - changedAt > staleMs
}

/** How much of the quota is used, as known; looked up again before anything is refused. */
export class QuotaUsage {
  private bytes = 0
  private entries = 0
  private writes = trusted

  /** Whether so much more fits. */
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
