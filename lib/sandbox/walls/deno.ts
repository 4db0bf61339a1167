/** Deno, a JavaScript runtime that denies a program everything that it was not given. */
import fs from 'node:fs'
import path from 'node:path'
import type { WallTest } from '#lib/spec/walls'
import type { Runtime } from '../children'
import { installedFolder } from './wall-install'
import { denoProgram } from './wall-packages'

/** The installed program; undefined if there is none. */
export function findDeno(installed: string): string | undefined {
  const program = path.join(installedFolder(installed, 'deno'), denoProgram())
  return fs.existsSync(program) ? program : undefined
}

/** The result of a test where it is not installed. */
export const denoMissing: WallTest = {
  holds: false,
  reason: 'Deno is not installed.',
  remedies: ['Install with `loopwright walls install deno` or under Settings → Sandbox.'],
}

export interface DenoRights {
  /** The program, an absolute path. */
  readonly deno: string
  /** Files and folders that the program may read; absolute. */
  readonly readable: readonly string[]
  /** A folder that it may read and write; absolute. */
  readonly writable?: string
}

/** Deno with the right to compute, to these files, and to nothing else: no network, program, variable or library. */
export function denoRuntime({ deno, readable, writable }: DenoRights): Runtime {
  const denied = ['net', 'run', 'ffi', 'sys', 'import']
  const reading = writable === undefined ? readable : [...readable, writable]
  return {
    command: (file, args, v8Flags) => [
      deno,
      'run',
      '--quiet',
      '--no-prompt',
      '--no-config',
      '--no-lock',
      '--no-npm',
      '--no-remote',
      '--cached-only',
      '--node-modules-dir=none',
      ...denied.map((each) => `--deny-${each}`),
      // Libraries ask for variables when they are loaded: there are none, but the time zone may be set.
      '--ignore-env',
      '--allow-env=TZ',
      right('read', reading),
      right('write', writable === undefined ? [] : [writable]),
      `--v8-flags=${v8Flags.join(',')}`,
      file,
      ...args,
    ],
    // What it has compiled stands beside it, where nobody else can write: it is run without being checked again.
    variables: { DENO_DIR: path.join(path.dirname(deno), 'compiled'), DENO_NO_UPDATE_CHECK: '1' },
    moreMiB: 512,
    // Compiled code.
    ownFileMiB: 16,
  }
}

/** Deno compares real paths with what may be used. A comma in a path is written twice. */
function right(name: 'read' | 'write', places: readonly string[]): string {
  if (places.length === 0) return `--deny-${name}`
  return `--allow-${name}=${places.map((each) => fs.realpathSync(each).replaceAll(',', ',,')).join(',')}`
}
