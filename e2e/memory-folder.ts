/**
 * Puts the temporary folders of the unit tests into memory, where a commit of SQLite does not wait for the
 * disk.
 */
import {
  accessSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'

const memory = '/dev/shm'
const prefix = 'loopwright-unit-'
/** Longer than any run of the tests takes. */
const abandonedMs = 3_600_000
/** What the tests may use at once; a small container has less memory. */
const neededBytes = 2 * 1024 ** 3

/**
 * Sets TMPDIR for all test processes and their children; returns a function that undoes it. A killed process
 * loses nothing it wrote, in memory or on disk, so tests of `kill -9` are just as valid here. If the system
 * has no such folder, or it is too small or does not allow programs to start in it, the temporary folder
 * stays on disk.
 */
export function setup(): (() => void) | undefined {
  const folder = openFolder()
  if (folder === undefined) return undefined
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  return () => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
    rmSync(folder, { recursive: true, force: true })
  }
}

function openFolder(): string | undefined {
  let folder: string | undefined
  try {
    removeAbandoned()
    const { bavail, bsize } = statfsSync(memory)
    if (bavail * bsize < neededBytes) return undefined
    folder = mkdtempSync(path.join(memory, prefix))
    const program = path.join(folder, 'program')
    writeFileSync(program, '', { mode: 0o700 })
    accessSync(program, constants.X_OK)
    return folder
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

/** Removes the folders of runs that were killed before their end. */
function removeAbandoned(): void {
  for (const name of readdirSync(memory)) {
    const folder = path.join(memory, name)
    if (!name.startsWith(prefix) || Date.now() - statSync(folder).mtimeMs < abandonedMs) continue
    rmSync(folder, { recursive: true, force: true })
  }
}
