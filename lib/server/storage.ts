/** Keeps an eye on the database while the server runs, and tells the log once when it fails and once when that is over. */
import type { StoreHealth } from '#lib/spec/store'

interface StorageLog {
  readonly folder: string
  /** Takes the line that says what is wrong. */
  fail(line: string): void
  /** Takes the line that says that it is over. */
  recover(line: string): void
}

/** Between two looks at the file, ms. */
const pauseMs = 2_000
/** The same fault within this time of the last one belongs to the same episode, ms. */
const episodeMs = 60_000

/** Returns the way to stop. */
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
