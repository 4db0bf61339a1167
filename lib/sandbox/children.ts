/**
 * Starts the sandbox's child programs with an empty environment, limits on memory, processor time and file
 * size, and pipes to talk over.
 */
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { codeRangeMiB } from './code-range'

/** Limits that the kernel enforces on a program. */
export interface ProgramBounds {
  /** Private memory of the whole process, without what V8 reserves for compiled code. */
  readonly memoryMiB: number
  /** Processor seconds over the whole life. This limit ends a child whose parent was killed. */
  readonly cpuSeconds: number
  /** The largest file the child may write. */
  readonly fileMiB: number
  /**
   * Stack of the main thread, if it needs more than V8's default. Ignored on Windows,
   * where it cannot be raised.
   */
  readonly stackMiB?: number
}

/** What runs a program in place of the Node of the server. */
export interface Runtime {
  command(file: string, args: readonly string[], v8Flags: readonly string[]): readonly string[]
  /** Its own variables; the child has no others. */
  readonly variables: Readonly<Record<string, string>>
  /** Memory that it takes and Node does not. */
  readonly moreMiB: number
  /** The largest file that it writes for itself. */
  readonly ownFileMiB: number
}

/** What keeps a child from everything that it is not given: one of these, or nothing. */
export interface Confinement {
  /** Wraps a command in the operating system's sandbox. */
  box?(command: readonly string[]): readonly string[]
  readonly runtime?: Runtime
  /** Flags of Node's permission model. */
  readonly permissions?: readonly string[]
}

export interface ChildBounds extends ProgramBounds, Confinement {
  /** The JavaScript heap alone. */
  readonly heapMiB: number
  /** Flags of V8 that only this program needs. */
  readonly v8Flags?: readonly string[]
}

export type Child = ChildProcessByStdio<Writable, Readable, null>

/** The system starts no process just now: it has no open file, pipe or process left. */
export class NoChildError extends Error {
  override readonly name = 'NoChildError'

  constructor(cause?: unknown) {
    super('The system could not start a process: it may have no open file or process left.', { cause })
  }
}

/**
 * The file of a child program: in the folder that the bootstrap names, next to our own bundle, or (when run
 * from sources) in the build folder.
 */
export function childProgram(name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const folders = [process.env.LOOPWRIGHT_BUNDLES ?? here, path.resolve(here, '../../.next/loopwright')]
  const [first = '', ...others] = folders.map((folder) => path.join(folder, `${name}.mjs`))
  return [first, ...others].find((file) => existsSync(file)) ?? first
}

/**
 * Starts the child program `name` with `args`. It inherits nothing: no variable, working folder or open file.
 * On systems with a POSIX shell the kernel enforces the limits; elsewhere only the heap is limited.
 * Throws a `NoChildError` if the system starts no process.
 */
export function startChild(name: string, args: readonly string[], bounds: ChildBounds): Child {
  try {
    return pipedChild(spawnChild(name, args, bounds))
  } catch (error) {
    // What the system refuses has the name of its call; everything else is a bug.
    throw error instanceof Error && 'syscall' in error ? new NoChildError(error) : error
  }
}

/** The child that `start` returns; undefined if the system starts no process. */
export function childOrNone<C>(start: () => C): C | undefined {
  try {
    return start()
  } catch (error) {
    if (error instanceof NoChildError) return undefined
    throw error
  }
}

/**
 * The child itself. Throws a `NoChildError` for one that Node has returned without pipes, whatever its types say, because
 * no more files can be opened.
 */
export function pipedChild<C extends ChildProcess>(child: C): C {
  if (child.stdio !== undefined) return child
  // The reason comes later as an event, which would end the server if nobody listened.
  child.on('error', () => {})
  throw new NoChildError()
}

/** Whether a child keeps the server's process alive: an idle one must not. */
export function holdChild(child: Child, how: 'ref' | 'unref'): void {
  child[how]()
  for (const stream of [child.stdin, child.stdout]) {
    if (how in stream) (stream as unknown as { ref(): void; unref(): void })[how]() // cast: pipes of a child are sockets
  }
}

function spawnChild(name: string, args: readonly string[], bounds: ChildBounds): Child {
  const isWindows = process.platform === 'win32'
  const {
    heapMiB,
    stackMiB = 0,
    v8Flags = [],
    permissions = [],
    runtime,
    box = (command) => command,
  } = bounds
  const stack = stackMiB > 0 && !isWindows ? [`--stack-size=${stackMiB * 1024}`] : []
  const flags = [`--max-old-space-size=${heapMiB}`, ...stack, ...v8Flags]
  const file = childProgram(name)
  const own = runtime?.command(file, args, flags) ?? [
    process.execPath,
    ...flags,
    ...permissions,
    file,
    ...args,
  ]
  const memoryMiB = bounds.memoryMiB + (runtime?.moreMiB ?? 0)
  const fileMiB = Math.max(bounds.fileMiB, runtime?.ownFileMiB ?? 0)
  const [command = process.execPath, ...rest] = withLimits(box(own), { ...bounds, memoryMiB, fileMiB })
  return spawn(command, rest, {
    cwd: path.parse(process.execPath).root,
    env: { ...bareVariables(), ...runtime?.variables },
    stdio: ['pipe', 'pipe', 'ignore'],
    // A Ctrl-C is meant for the server. If it also killed the child, that would look like a failed execution.
    detached: !isWindows,
    windowsHide: true,
  })
}

/** The command under its limits, on systems with a POSIX shell; elsewhere the command as it is. */
function withLimits(command: readonly string[], bounds: ProgramBounds): readonly string[] {
  return process.platform === 'win32' ? command : ['/bin/sh', '-c', limits(bounds), ...command]
}

/** `-d` limits private writable pages, so of the address space that V8 reserves only its code range can count. */
function limits(bounds: ProgramBounds): string {
  const each = [
    `-d ${(bounds.memoryMiB + codeRangeMiB()) * 1024}`,
    `-t ${bounds.cpuSeconds}`,
    // `-f` counts blocks of 512 bytes.
    `-f ${bounds.fileMiB * 2048}`,
    '-c 0',
    // Twice V8's own limit, because V8 does not count all of the stack that it uses.
    ...(bounds.stackMiB === undefined ? [] : [`-s ${bounds.stackMiB * 2048}`]),
  ]
  return `${each.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ')}; exec "$0" "$@"`
}

/** Only the variables that the system needs to start a program: none, except on Windows. */
function bareVariables(): NodeJS.ProcessEnv {
  const names = process.platform === 'win32' ? ['SystemRoot'] : []
  const kept = names.map((name) => [name, process.env[name]])
  return Object.fromEntries(kept) as NodeJS.ProcessEnv // cast: Next declares NODE_ENV as always present
}
