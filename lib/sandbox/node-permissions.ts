/** The flags with which Node takes every right from a child program but those to its own code and some folders. */
import path from 'node:path'

/** Newer versions of Node have the permission model without its former prefix. */
const flag = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'
const quiet = ['--disable-warning=ExperimentalWarning']

/**
 * No file but these, no process, no thread, no native module.
 * @param file the program itself; absolute
 * @param folders absolute
 */
export function readingPermissions(file: string, folders: readonly string[] = []): readonly string[] {
  return [flag, ...quiet, ...[file, ...folders.map(withEnd)].map((each) => `--allow-fs-read=${each}`)]
}

/**
 * The same, with a folder that the child may read and write.
 * @param folder absolute
 */
export function writingPermissions(
  file: string,
  folder: string,
  others: readonly string[] = [],
): readonly string[] {
  return [...readingPermissions(file, [folder, ...others]), `--allow-fs-write=${withEnd(folder)}`]
}

/** A folder counts with everything in it when it ends in a separator. */
function withEnd(folder: string): string {
  return `${folder}${path.sep}`
}
