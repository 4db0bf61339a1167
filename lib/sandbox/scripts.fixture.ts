/** Test tools for scripts behind walls: a workspace on disk, a port with the walls given, and the end of a script. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type ScriptAnswer, type ScriptLimits, type ScriptRequest, usualLimits } from '#lib/spec/walls'
import { createScripts } from './scripts'
import type { Walls } from './walls/all'
import { chooseWalls } from './walls/choose'
import type { ScriptWall } from './walls/wall'
import { createWorkspace, type Workspace } from './workspace'

export interface Place {
  readonly top: string
  /** The folder of the workspace. */
  readonly root: string
  readonly temporary: string
  readonly workspace: Workspace
  /** Writes a file of the workspace, past its limits. */
  put(name: string, content: string | Uint8Array): void
  /** Every file of the workspace with its text. */
  texts(): Record<string, string>
  remove(): void
}

/** @param above where the place is made; Deno gives no program a right to files below `/dev`, where it usually is */
export function openPlace(above: string = os.tmpdir()): Place {
  const top = fs.mkdtempSync(path.join(above, 'loopwright-scripts-'))
  const root = path.join(top, 'ws')
  fs.mkdirSync(root)
  return {
    top,
    root,
    temporary: path.join(top, 'tmp'),
    workspace: createWorkspace(root),
    put(name, content) {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      fs.writeFileSync(path.join(root, name), content)
    },
    texts() {
      const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()
      const files = names.filter((name) => fs.lstatSync(path.join(root, name)).isFile())
      return Object.fromEntries(files.map((name) => [name, fs.readFileSync(path.join(root, name), 'utf8')]))
    },
    remove: () => fs.rmSync(top, { recursive: true, force: true }),
  }
}

export type Given = Partial<Omit<ScriptRequest, 'limits'>> & {
  readonly limits?: Partial<ScriptLimits>
  readonly signal?: AbortSignal
}

export interface Ran {
  readonly answer: ScriptAnswer
  /** What was passed on while the script ran, in order. */
  readonly pieces: readonly { readonly text: string; readonly from: 'stdout' | 'stderr' }[]
}

/** Runs one shell script over the place behind this wall, whatever its test says. */
export async function runShell(
  place: Place,
  wall: ScriptWall,
  source: string,
  given: Given = {},
): Promise<Ran> {
  const walls: Walls = { javascript: [], shell: [assumed(wall)], python: [], readers: [] }
  const port = createScripts({ choice: chooseWalls(walls), temporary: place.temporary })
  const pieces: { text: string; from: 'stdout' | 'stderr' }[] = []
  const { limits, signal = new AbortController().signal, ...rest } = given
  const request: ScriptRequest = {
    kind: 'shell',
    source,
    files: place.workspace,
    mayWrite: true,
    output: (text, from) => pieces.push({ text, from }),
    ...rest,
    limits: { ...usualLimits, timeoutMs: 20_000, ...limits },
  }
  return { answer: await port.run(request, signal), pieces }
}

/** Tests of what a wall does need not wait for its own test. */
function assumed(wall: ScriptWall): ScriptWall {
  return { ...wall, test: async () => ({ holds: true, startMs: 0 }) }
}
