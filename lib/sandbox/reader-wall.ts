/** Which wall is around readers: the strongest one whose test has shown on this machine that it holds. */
import os from 'node:os'
import { testReaderWall } from './reader-wall-test'
import { boxedReaders, denoReaders, nodeReaders, type ReaderPlace, type ReaderWall } from './reader-walls'

/**
 * One for the process, since readers are asked from places that know nothing of walls. Where several servers run in
 * one process, as in tests, the last one counts.
 */
let place: ReaderPlace = { installed: '', temporary: os.tmpdir() }
/** How long a weaker wall counts where a stronger one is installed but has failed its test. */
const pauseMs = 60_000
const found = new Map<string, Promise<ReaderWall | undefined>>()

/** Returns what counted before. */
export function readersAt(here: ReaderPlace): ReaderPlace {
  const before = place
  place = here
  return before
}

/** Forgets what the tests have shown, so that the next reader tests again. */
export function forgetReaderWall(): void {
  found.clear()
}

/** The wall, tested when first asked for; undefined if none holds. Never rejects. */
export function readerWall(): Promise<ReaderWall | undefined> {
  const key = JSON.stringify([process.env.PATH, place.installed])
  const known = found.get(key)
  if (known !== undefined) return known
  const finding = find(place).catch(() => undefined)
  found.set(key, finding)
  // The test of a stronger wall may have lacked time, memory, or room on the disk.
  void finding.then((wall) => {
    if (wall === undefined) found.delete(key)
    else if (wall.id === 'node' && denoReaders(place) !== undefined)
      setTimeout(() => found.get(key) === finding && found.delete(key), pauseMs).unref()
  })
  return finding
}

async function find(here: ReaderPlace): Promise<ReaderWall | undefined> {
  const boxed = await boxedReaders(here)
  // It has passed a test of its own.
  if (boxed !== undefined) return boxed
  for (const wall of [denoReaders(here), nodeReaders])
    if (wall !== undefined && (await testReaderWall(wall, here)).holds) return wall
  return undefined
}
