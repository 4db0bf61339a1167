/** Watches the database while the server runs, and logs once when it fails and once when it recovers. */
import type { StoreHealth } from '#lib/spec/store-health'

interface StorageLog {
  readonly folder: string
  /** Takes the line that describes the fault. */
  fail(line: string): void
  /** Takes the line that reports the recovery. */
  recover(line: string): void
}

/** Between two checks of the file, ms. */
const pauseMs = 2_000
/** The same fault again within this time belongs to the same episode and is not logged again, ms. */
const episodeMs = 60_000

/** Returns a function that stops the watch. */
export function watchStorage(health: StoreHealth, { folder, fail, recover }: StorageLog): () => void {
  const told = new Map<string, number>()
  let isTold = false
  health.onChange((trouble) => {
    const now = performance.now()
    if (trouble === undefined) {
      if (isTold) recover(`${folder}: the database can be written again.`)
      isTold = false
      return
    }
    const before = told.get(trouble.message) ?? Number.NEGATIVE_INFINITY
    told.set(trouble.message, now)
    if (now - before < episodeMs) return
    isTold = true
    fail(`${folder}: ${trouble.message}`)
  })
  const timer = setInterval(() => health.check(), pauseMs)
  timer.unref()
  return () => clearInterval(timer)
}
