/** Deno, a JavaScript runtime that denies a program everything that it was not given. */
import fs from 'node:fs'
import path from 'node:path'
import { installedFolder } from './wall-install'
import { denoProgram } from './wall-packages'

/** The installed program; undefined if there is none. */
export function findDeno(installed: string): string | undefined {
  const program = path.join(installedFolder(installed, 'deno'), denoProgram())
  return fs.existsSync(program) ? program : undefined
}

export interface DenoCommand {
  readonly deno: string
  /** The program to run, an absolute path. */
  readonly program: string
  readonly args: readonly string[]
  /** What it may read, absolute paths. */
  readonly readable: readonly string[]
  /** The JavaScript heap. */
  readonly heapMiB: number
}

/** A command that runs a program which can do nothing but compute and read what it is given. */
export function denoCommand({ deno, program, args, readable, heapMiB }: DenoCommand): readonly string[] {
  return [
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
    ...['net', 'env', 'run', 'ffi', 'write', 'sys', 'import'].map((each) => `--deny-${each}`),
    `--allow-read=${readable.map((each) => each.replaceAll(',', ',,')).join(',')}`,
    `--v8-flags=--max-old-space-size=${heapMiB}`,
    program,
    ...args,
  ]
}
