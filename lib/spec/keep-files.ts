/** Keeps the files that code has written as artifacts of its call. */
import type { ToolContext } from './tool'

/** The most files that are kept as artifacts; the others are only in the workspace. */
const maxKept = 100

/** Returns notes for the model on files that a person will not find among the artifacts. */
export async function keepFiles(
  written: readonly string[],
  { ports, created }: Pick<ToolContext, 'ports' | 'created'>,
): Promise<string[]> {
  const notes: string[] = []
  for (const path of written.slice(0, maxKept)) {
    const kept = await ports.files.keep(path)
    if (kept.ok) created(kept.value)
    else notes.push(`"${path}" was not kept for download: ${kept.message}`)
  }
  const more = written.length - maxKept
  if (more > 0) notes.push(`${more} more files were written, and not kept for download.`)
  return notes
}
