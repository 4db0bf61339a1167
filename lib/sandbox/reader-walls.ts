/**
 * The walls around our own programs that read what others have made: documents, tables, pages, archives, OpenAPI
 * documents, charts and reports.
 */
import type { WallFacts } from '#lib/spec/walls'
import { type Confinement, childProgram } from './children'
import { readingPermissions } from './node-permissions'
import { osSandbox } from './os-sandbox'
import { denoRuntime, findDeno } from './walls/deno'

export interface ReaderWall {
  readonly id: 'bubblewrap' | 'deno' | 'node'
  readonly facts: WallFacts
  /** Starts `program` so that it reads itself and these folders, absolute paths, and nothing else. */
  confine(program: string, readable: readonly string[]): Confinement
}

/** What the walls use of this machine; absolute paths. */
export interface ReaderPlace {
  /** The folder of programs that `loopwright walls install` has put there. */
  readonly installed: string
  readonly temporary: string
}

const promises = [
  'reads only its own program and what it is given',
  'writes nothing',
  'starts no program',
  'no environment variables of the server',
  'limits on time, memory and output',
]

export const boxedFacts: WallFacts = {
  id: 'readers-bubblewrap',
  name: 'bubblewrap',
  strength: 'system',
  promises: ['no network', 'sees no other process', ...promises],
  gaps: [],
}

export const denoFacts: WallFacts = {
  id: 'readers-deno',
  name: 'Deno',
  strength: 'runtime',
  promises: ['no network', ...promises],
  gaps: ['no wall of the operating system around the runtime'],
}

const nodeFacts: WallFacts = {
  id: 'readers-node',
  name: 'Node’s permission model',
  strength: 'process',
  promises,
  gaps: ['the system does not close the network, though no reader uses it'],
}

/** Undefined where bubblewrap does not hold. Rejects when that cannot be tested. */
export async function boxedReaders({ temporary }: ReaderPlace): Promise<ReaderWall | undefined> {
  const sandbox = await osSandbox(undefined, temporary)
  if (sandbox === undefined) return undefined
  return {
    id: 'bubblewrap',
    facts: boxedFacts,
    confine: (program, readable) => ({
      box: (command) => sandbox.wrap(command, [childProgram(program), ...readable]),
    }),
  }
}

/** Undefined where Deno is not installed. */
export function denoReaders({ installed }: ReaderPlace): ReaderWall | undefined {
  const deno = findDeno(installed)
  if (deno === undefined) return undefined
  return {
    id: 'deno',
    facts: denoFacts,
    confine: (_, readable) => ({ runtime: denoRuntime({ deno, readable }) }),
  }
}

/** The wall that every machine has. */
export const nodeReaders: ReaderWall = {
  id: 'node',
  facts: nodeFacts,
  confine: (program, readable) => ({ permissions: readingPermissions(childProgram(program), readable) }),
}
