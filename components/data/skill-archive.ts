/**
 * Makes the archive of a skill from what a person chose or dropped: a ZIP file as it is, a folder or single files
 * packed in the browser.
 */
import { isLeftover, skillFile, skillLimits } from '#lib/spec/skill-folder'

/** A file with its path as a person sees it: `meeting-notes/SKILL.md`. */
export interface ChosenFile {
  readonly path: string
  readonly file: File
}

/** Files of a field that takes files or a folder. */
export function filesOfInput(files: Iterable<File>): ChosenFile[] {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}

/** Everything that was dropped, folders included. Must be called while the drop is handled. */
export async function filesOfDrop(items: DataTransferItemList): Promise<ChosenFile[]> {
  // The list is empty once the event is over, so all entries are taken first.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const found: ChosenFile[] = []
  for (const entry of entries) await walk(entry, found)
  return found
}

async function walk(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (found.length > mostWalked || isLeftover(entry.name)) return
  if (entry.isFile) {
    const file = await new Promise<File>(
      (resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject), // cast: it says so of itself
    )
    found.push({ path: entry.fullPath.replace(/^\//, ''), file })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader() // cast: what is no file is a folder
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return
    for (const each of part) await walk(each, found)
  }
}

/** A folder with more files than this is not a skill. */
const mostWalked = 2_000

export type Archive =
  | { readonly ok: true; readonly value: Blob }
  | { readonly ok: false; readonly error: string }

export async function archiveOf(given: readonly ChosenFile[]): Promise<Archive> {
  const files = given.filter(({ path }) => !isLeftover(path))
  const [first] = files
  if (first === undefined) return fail('There are no files in it.')
  if (files.length === 1 && /\.(zip|skill)$/i.test(first.path)) {
    const isSmall = first.file.size <= skillLimits.bytes + 1024 * 1024
    return isSmall ? { ok: true, value: first.file } : fail('The archive is larger than 20 MB.')
  }
  if (!files.some(({ path }) => path.split('/').at(-1) === skillFile))
    return fail(`There is no ${skillFile} in it. Choose the folder of a skill, or a ZIP file of it.`)
  if (files.length > skillLimits.files)
    return fail(
      `The folder has ${files.length.toLocaleString('en')} files, and at most ${skillLimits.files} are allowed.`,
    )
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  if (bytes > skillLimits.bytes) return fail('The files are larger than 20 MB together.')
  const contents: Record<string, Uint8Array> = {}
  for (const { path, file } of files) contents[path] = new Uint8Array(await file.arrayBuffer())
  // Only somebody who imports a folder needs this code.
  const { zipSync } = await import('fflate')
  const packed = zipSync(contents, { level: 0 })
  return { ok: true, value: new Blob([packed as BlobPart]) } // cast: the library makes plain array buffers
}

function fail(error: string): Archive {
  return { ok: false, error }
}
