/**
 * The walls around our own programs that read what others have made: documents, tables, pages, archives, OpenAPI
 * documents, charts and reports.
 */
import { type Confinement, childProgram } from './children'
import { readingPermissions } from './node-permissions'
import { osSandbox } from './os-sandbox'
import { denoRuntime, findDeno } from './walls/deno'

export interface ReaderWall {
  readonly id: 'bubblewrap' | 'deno' | 'node'
  /** Starts `program` so that it reads itself and these folders, absolute paths, and nothing else. */
  confine(program: string, readable: readonly string[]): Confinement
}

/** What the walls use of this machine; absolute paths. */
export interface ReaderPlace {
  /** The folder of programs that `loopwright walls install` has put there. */
  readonly installed: string
  readonly temporary: string
}

/** Undefined where bubblewrap does not hold. Rejects when that cannot be tested. */
export async function boxedReaders({ temporary }: ReaderPlace): Promise<ReaderWall | undefined> {
  const sandbox = await osSandbox(undefined, temporary)
  if (sandbox === undefined) return undefined
  return {
    id: 'bubblewrap',
    confine: (program, readable) => ({
      box: (command) => sandbox.wrap(command, [childProgram(program), ...readable]),
    }),
  }
}

/** Undefined where Deno is not installed. */
export function denoReaders({ installed, temporary }: ReaderPlace): ReaderWall | undefined {
  const deno = findDeno(installed)
  if (deno === undefined) return undefined
  return {
    id: 'deno',
    confine: (_, readable) => ({ runtime: denoRuntime({ deno, temporary, readable }) }),
  }
}

/** The wall that every machine has. */
export const nodeReaders: ReaderWall = {
  id: 'node',
  confine: (program, readable) => ({ permissions: readingPermissions(childProgram(program), readable) }),
}
