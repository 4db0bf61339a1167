/** A thread's files with what is said of them: a description belongs to one place, and goes with its file. */
import { readPath } from '#lib/sandbox/workspace-path'
import type { FilesPort } from '#lib/spec/sandbox'
import type { ArtifactStore } from '#lib/spec/store'

interface Place {
  readonly threadId: string
  /** The folder of the workspace that the paths begin in: `''`, or one that ends in `/`. */
  readonly above: string
}

export function describedFiles(
  files: FilesPort,
  store: Pick<ArtifactStore, 'describe' | 'descriptions'>,
  { threadId, above }: Place,
): FilesPort {
  /** A path can be written in several ways, as in `./a.md`, and is kept in one. */
  const tell = (path: string, description: string) => {
    const names = readPath(path)
    if (names.ok) store.describe(threadId, above + names.value.join('/'), description)
  }
  return {
    ...files,
    descriptions() {
      const all = store.descriptions(threadId)
      if (above === '') return all
      const inside = [...all].filter(([path]) => path.startsWith(above))
      return new Map(inside.map(([path, description]) => [path.slice(above.length), description]))
    },
    describe: tell,
    async keep(path, options) {
      const kept = await files.keep(path, options)
      if (!kept.ok || kept.value.path === null) return kept
      // Kept files are named by their place in the whole workspace.
      const description = store.descriptions(threadId).get(kept.value.path)
      return description === undefined ? kept : { ok: true, value: { ...kept.value, description } }
    },
    async remove(path) {
      const removed = await files.remove(path)
      if (removed.ok) tell(path, '')
      return removed
    },
    async takeFrom(folder, change) {
      const taken = await files.takeFrom(folder, change)
      if (taken.ok) for (const path of change.removed) tell(path, '')
      return taken
    },
  }
}
