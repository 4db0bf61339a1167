/** Starts the sandbox's child programs: an empty environment, bounded memory, processor time and files, pipes to talk over. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'

export interface ChildBounds {
  /** Private memory of the whole process. */
  readonly memoryMiB: number
  /** The JavaScript heap alone. */
  readonly heapMiB: number
  /** Processor seconds over the whole life: what ends a child whose parent was killed. */
  readonly cpuSeconds: number
  /** The largest file it may write. */
  readonly fileMiB: number
  /** Of the main thread, where more is needed than V8 takes by itself; not on Windows, where it can not be raised. */
  readonly stackMiB?: number
  /** Puts a command into the sandbox of the operating system. */
  box?(command: readonly string[]): readonly string[]
}

export type Child = ChildProcessByStdio<Writable, Readable, null>

/** The bundle of a child program: where the bootstrap says, beside our own bundle, or (run from sources) where both are built. */
export function childProgram(name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const folders = [process.env.LOOPWRIGHT_BUNDLES ?? here, path.resolve(here, '../../.next/loopwright')]
  const [first = '', ...others] = folders.map((folder) => path.join(folder, `${name}.mjs`))
  return [first, ...others].find((file) => existsSync(file)) ?? first
}

/**
 * Starts the child program `name` with `args`. It inherits nothing: no variable, no working folder, no open file.
 * Where the system has a POSIX shell the kernel holds the bounds; elsewhere only the heap is bounded.
 */
export function startChild(name: string, args: readonly string[], bounds: ChildBounds): Child {
  const isWindows = process.platform === 'win32'
  const { heapMiB, stackMiB = 0, box = (command) => command } = bounds
  const stack = stackMiB > 0 && !isWindows ? [`--stack-size=${stackMiB * 1024}`] : []
  const flags = [`--max-old-space-size=${heapMiB}`, ...stack]
  const node = box([process.execPath, ...flags, childProgram(name), ...args])
  const [command = process.execPath, ...rest] = isWindows ? node : ['/bin/sh', '-c', limits(bounds), ...node]
  return spawn(command, rest, {
    cwd: path.parse(process.execPath).root,
    env: variables(isWindows ? ['SystemRoot'] : []),
    stdio: ['pipe', 'pipe', 'ignore'],
    // A Ctrl-C is for us: a child that it killed as well would look like one that failed.
    detached: !isWindows,
    windowsHide: true,
  })
}

/** `-d` counts private pages alone, so that the address space V8 sets aside does not matter. */
function limits(bounds: ChildBounds): string {
  const each = [
    `-d ${bounds.memoryMiB * 1024}`,
    `-t ${bounds.cpuSeconds}`,
    // In blocks of 512 bytes.
    `-f ${bounds.fileMiB * 2048}`,
    '-c 0',
    // Twice what V8 may take of it, since it does not count all it uses.
    ...(bounds.stackMiB === undefined ? [] : [`-s ${bounds.stackMiB * 2048}`]),
  ]
  return `${each.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ')}; exec "$0" "$@"`
}

/** Only what the system itself needs to start a program, which is nothing but on Windows. */
function variables(names: readonly string[]): NodeJS.ProcessEnv {
  const kept = names.map((name) => [name, process.env[name]])
  return Object.fromEntries(kept) as NodeJS.ProcessEnv // cast: Next declares NODE_ENV as always there
}
