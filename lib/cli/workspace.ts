/** The folder that an agent's file tools use on the command line. */
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { looseFiles } from '#lib/server/files/loose-files'
import type { ToolPorts } from '#lib/spec/tool'
import type { Terminal } from './terminal'

interface CommandFiles {
  /** The ports of a run that works in this folder of the files. */
  within(folder: readonly string[]): Pick<ToolPorts, 'files' | 'artifacts'>
  /** Prints where the files are, if their folder was not named by the user. */
  tell(): void
}

/** The named folder, or a new one that is created with its first file. */
export function openFiles(named: string | undefined, { folder, err }: Terminal): CommandFiles {
  if (named !== undefined) {
    const given = path.resolve(folder, named)
    // The named folder itself may be a link; links inside it are not followed.
    const real = existsSync(given) ? realpathSync(given) : given
    return { within: filesWithin(real), tell: () => undefined }
  }
  const fresh = path.join(realpathSync(os.tmpdir()), `loopwright-${randomBytes(8).toString('hex')}`)
  return {
    within: filesWithin(fresh),
    tell: () => existsSync(fresh) && err(`The agent's files are in ${fresh}\n`),
  }
}

/** Everyone who works in a folder shares one port over it. */
function filesWithin(root: string): CommandFiles['within'] {
  const known = new Map<string, ReturnType<typeof looseFiles>>()
  return (folder) => {
    const at = path.join(root, ...folder)
    const files = known.get(at) ?? looseFiles(at)
    known.set(at, files)
    return files
  }
}
