/** The flags with which Node takes every right from a child program but those to its own code and one folder. */
import fs from 'node:fs'
import path from 'node:path'
import { childProgram } from './children'

/** Newer versions of Node have the permission model without its former prefix. */
const flag = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

/**
 * @param folder absolute; the child may read and write it
 * @param others absolute; the child may only read them
 */
export function permissionFlags(
  program: string,
  folder: string,
  others: readonly string[] = [],
): readonly string[] {
  const file = childProgram(program)
  const readable = [path.dirname(file), ...packageFolders(path.dirname(file)), folder, ...others]
  return [
    flag,
    '--disable-warning=ExperimentalWarning',
    ...readable.map((each) => `--allow-fs-read=${withEnd(each)}`),
    `--allow-fs-write=${withEnd(folder)}`,
  ]
}

/** A folder counts with everything in it when it ends in a separator. */
function withEnd(folder: string): string {
  return `${folder}${path.sep}`
}

/** The folders in which Node looks for the packages of a program, and the files that say how they are loaded. */
function packageFolders(folder: string): string[] {
  const here = path.join(folder, 'node_modules')
  const above = path.dirname(folder)
  return [...(fs.existsSync(here) ? [here] : []), ...(above === folder ? [] : packageFolders(above))]
}
