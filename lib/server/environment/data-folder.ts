/** The folders that the server makes in its data folder. */
import { lstatSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../start-error'

export interface DataFolder {
  readonly artifacts: string
  /** Programs that were installed for the sandbox. */
  readonly walls: string
  readonly workspaces: string
  /** The files of tools tried by hand. */
  readonly try: string
  /** Temporary files; emptied at every start. */
  readonly temporary: string
}

/** Every folder of the data folder, including those that are made only when they are first used. */
const names = [
  'artifacts',
  'artifacts/incoming',
  'workspaces',
  'workspaces/incoming',
  'databases',
  'mcp',
  'openapi',
  'python',
  'try',
  'tmp',
  'walls',
]

/**
 * The places in the data folder, which must be locked: what an earlier server left in its temporary folder is deleted.
 * Throws a StartError when a file is where a folder should be.
 */
export function openDataFolder(folder: string): DataFolder {
  for (const name of names) checkFolder(path.join(folder, name))
  const temporary = path.join(folder, 'tmp')
  try {
    rmSync(temporary, { recursive: true, force: true })
  } catch {
    // What cannot be deleted stays until the next start, and does no harm.
  }
  return {
    artifacts: path.join(folder, 'artifacts'),
    walls: path.join(folder, 'walls'),
    workspaces: path.join(folder, 'workspaces'),
    try: path.join(folder, 'try'),
    temporary,
  }
}

function checkFolder(at: string): void {
  const met = whatIsIn(at)
  if (met === undefined) return
  throw new StartError(
    `${at} is ${met}, but Loopwright keeps a folder under that name. Move it away and start again. Nothing was changed.`,
  )
}

/** What is in the way of a folder; undefined when the folder is there or can be made. */
function whatIsIn(at: string): string | undefined {
  try {
    const found = statSync(at, { throwIfNoEntry: false })
    if (found !== undefined) return found.isDirectory() ? undefined : 'a file'
    return lstatSync(at, { throwIfNoEntry: false }) && 'a link that leads nowhere'
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`${at} cannot be read (${reason}). Check the permissions of the data folder.`)
  }
}
