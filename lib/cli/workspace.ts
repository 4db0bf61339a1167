/** The folder that an agent's file tools reach from the command line. */
import { randomBytes } from 'node:crypto'
import { existsSync, realpathSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { looseFiles } from '#lib/server/files/loose-files'
import type { ToolPorts } from '#lib/spec/tool'
import type { Terminal } from './terminal'

interface CommandFiles {
  readonly ports: Pick<ToolPorts, 'files' | 'artifacts'>
  /** Says where files are that nobody asked to be there. */
  tell(): void
}

/** The folder named, or a fresh one that comes to be with its first file. */
export function openFiles(named: string | undefined, { folder, err }: Terminal): CommandFiles {
  if (named !== undefined) {
    const given = path.resolve(folder, named)
    // The person's own folder may be a link; those in it are not followed.
    return { ports: looseFiles(existsSync(given) ? realpathSync(given) : given), tell: () => undefined }
  }
  const fresh = path.join(realpathSync(os.tmpdir()), `loopwright-${randomBytes(8).toString('hex')}`)
  return {
    ports: looseFiles(fresh),
    tell: () => existsSync(fresh) && err(`The agent's files are in ${fresh}\n`),
  }
}
