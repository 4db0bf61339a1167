/**
 * Runs one program inside bubblewrap over the folder of a script: with namespaces, an empty environment and limits
 * of its own, its output as it comes, and everything it started ended with it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { killGroup, outOfTimeCode } from '../child-end'
import { childOrNone, pipedChild } from '../children'
import { systemMounts } from '../os-sandbox'
import { createProcessGroup, type ProcessGroup } from './process-group'
import type { ScriptEnd, ScriptJob } from './wall'
import { type Overuse, Watch } from './watch'

/** Where the files of the thread are inside. */
export const inside = '/workspace'

export interface BoxedProgram {
  readonly command: readonly string[]
  /** Beyond the system's programs: paths outside and where they are inside. Read-only. */
  readonly readable?: readonly (readonly [outside: string, inside: string])[]
  /** Beyond PATH, HOME and the like. */
  readonly env?: Readonly<Record<string, string>>
  /** Written to its standard input, which is then closed. */
  readonly input?: string | Uint8Array
  /** Takes part while it runs, in place of `input`. What comes through `channel`, its descriptor 4, is not trusted. */
  attend?(pipes: Attended): void
}

export interface Attended {
  readonly stdin: Writable
  readonly channel: Readable
  /** Ends the program and everything inside at once. */
  kill(): void
}

export interface BubblewrapBox {
  /** The `bwrap` program; absolute. */
  readonly program: string
  /** Flags that only newer versions of it know. */
  readonly hardening: readonly string[]
  /** Folders that are empty inside even where they are part of a readable one. */
  readonly hidden: readonly string[]
}

type Job = Pick<ScriptJob, 'folder' | 'scratch' | 'limits' | 'output'>

/** Running programs, so that they can be ended together. */
export type Running = Set<() => void>

/** Never throws, and resolves when every process inside has ended. */
export function runBoxed(
  box: BubblewrapBox,
  program: BoxedProgram,
  { job, running, signal }: { job: Job; running: Running; signal: AbortSignal },
): Promise<ScriptEnd> {
  const { folder, scratch, limits, output } = job
  for (const name of ['tmp', 'shm']) mkdirSync(path.join(scratch, name), { recursive: true, mode: 0o700 })
  const inner = [...innerShell, String(limits.processes), ...program.command]
  const command = [box.program, ...boxArguments(box, program, job), '--', ...inner]
  return new Promise((resolve) => {
    let reported = ''
    let stopped: Overuse | 'aborted' | undefined
    const group = createProcessGroup(limits.processes + ownProcesses)
    const child = childOrNone(() => start(command, { limits, group }))
    if (child === undefined) {
      group?.remove()
      resolve({ ended: false, code: 'unavailable', message: unstarted, usage: noUsage })
      return
    }
    const { pid } = child
    // Bubblewrap takes the process namespace and everything inside with it.
    const kill = () => killGroup(child)
    const watch =
      pid === undefined
        ? undefined
        : new Watch({
            pid,
            limits,
            folders: [folder, scratch],
            onOveruse: (overuse) => {
              stopped ??= overuse
              kill()
            },
          })
    const abort = () => {
      stopped ??= 'aborted'
      kill()
    }
    const finish = (end: (usage: ReturnType<Watch['stop']>) => ScriptEnd) => {
      running.delete(abort)
      signal.removeEventListener('abort', abort)
      group?.remove()
      const times = cpuIn(reported)
      resolve(end(watch?.stop(times === undefined ? {} : { cpuSeconds: times }) ?? noUsage))
    }
    running.add(abort)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    const [stdin, stdout, stderr, report, channel] = child.stdio
    ;(stdin as Writable).on('error', () => undefined) // cast: the five are made as pipes by `start`
    if (program.attend === undefined)
      (stdin as Writable).end(program.input ?? '') // cast: as above
    else
      program.attend({ stdin: stdin as Writable, channel: channel as Readable, kill }) // cast: as above
    ;(channel as Readable).resume() // cast: as above
    stdout?.on('data', (chunk: Buffer) => output(chunk, 'stdout'))
    stderr?.on('data', (chunk: Buffer) => output(chunk, 'stderr'))
    ;(report as Readable).on('data', (chunk: Buffer) => {
      // cast: as above. Whatever the script writes here, only the last line counts.
      reported = (reported + chunk.toString('latin1')).slice(-200)
    })
    child.once('error', () => {
      if (pid !== undefined) return
      finish((usage) => ({ ended: false, code: 'unavailable', message: unstarted, usage }))
    })
    child.once('close', (code, killedBy) => {
      if (pid === undefined) return
      finish((usage) => endOf({ code, killedBy, stopped, limits, usage }))
    })
  })
}

/** bubblewrap outside and inside, the shell before it and the shell around the program. */
const ownProcesses = 4

const unstarted = 'The program that confines the script could not be started.'
const noUsage = { wallMs: 0, cpuSeconds: null, peakMemoryBytes: null }

/**
 * Runs inside as the parent of the program: limits the number of processes of this user namespace, and afterwards
 * writes the processor time of all of them to a pipe that the program does not have.
 */
const innerShell = [
  '/bin/sh',
  '-c',
  'n=$1; shift; ulimit -u "$n" 2>/dev/null || ulimit -p "$n" 2>/dev/null; "$@" 3>&-; code=$?; times >&3; exit "$code"',
  'sh',
]

interface Held {
  readonly limits: ScriptJob['limits']
  readonly group: ProcessGroup | undefined
}

function start(command: readonly string[], held: Held): ChildProcess {
  const child = pipedChild(
    spawn('/bin/sh', ['-c', prelude(held), ...command], {
      cwd: '/',
      env: {} as NodeJS.ProcessEnv, // cast: Next declares NODE_ENV as always present
      stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    }),
  )
  try {
    // The server goes first when both want the processor.
    if (child.pid !== undefined) os.setPriority(child.pid, 10)
  } catch {
    // It has already ended.
  }
  return child
}

/** Limits of each process; those of all together are watched. The kernel is to end these before any other process. */
function prelude({ limits: { timeoutMs, memoryMiB, diskMiB }, group }: Held): string {
  const each = [
    `-d ${memoryMiB * 1024}`,
    `-t ${Math.ceil(timeoutMs / 1_000) + 5}`,
    // `-f` counts blocks of 512 bytes.
    `-f ${diskMiB * 2048}`,
    '-n 512',
    '-c 0',
  ]
  const limits = each.map((limit) => `ulimit ${limit} 2>/dev/null`).join('; ')
  const join = group === undefined ? '' : `echo $$ 2>/dev/null >${group.members}; `
  return `${join}${limits}; echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$0" "$@"`
}

function boxArguments(
  { hardening, hidden }: BubblewrapBox,
  { readable = [], env = {} }: BoxedProgram,
  { folder, scratch }: Job,
): string[] {
  const variables = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: inside,
    TMPDIR: '/tmp',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    USER: 'sandbox',
    ...env,
  }
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts'],
    '--unshare-cgroup-try',
    ...['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox'],
    ...['--die-with-parent', '--new-session'],
    ...['--cap-drop', 'ALL'],
    ...hardening,
    '--clearenv',
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--bind', path.join(scratch, 'shm'), '/dev/shm'],
    ...systemMounts(),
    ...hidden.flatMap((each) => ['--tmpfs', each, '--remount-ro', each]),
    ...readable.flatMap(([outside, at]) => ['--ro-bind', outside, at]),
    ...['--bind', path.join(scratch, 'tmp'), '/tmp'],
    ...['--bind', folder, inside, '--chdir', inside],
    // Nothing can be written into the memory that holds these file systems.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ]
}

interface Ended {
  readonly code: number | null
  readonly killedBy: NodeJS.Signals | null
  readonly stopped: Overuse | 'aborted' | undefined
  readonly limits: ScriptJob['limits']
  readonly usage: ReturnType<Watch['stop']>
}

function endOf({ code, killedBy, stopped, limits, usage }: Ended): ScriptEnd {
  if (stopped === 'aborted')
    return { ended: false, code: 'aborted', message: 'The script was stopped.', usage }
  if (stopped !== undefined) return { ended: false, ...stopped, usage }
  if (code === outOfTimeCode) {
    const message = `A program of the script used more than ${limits.timeoutMs / 1_000} seconds of processor time and was stopped. None of its changes were kept.`
    return { ended: false, code: 'timeout', message, usage }
  }
  if (code !== null) return { ended: true, exitCode: code, usage }
  const message = `The script was ended by the system (${killedBy ?? 'unknown signal'}), perhaps for lack of memory. None of its changes were kept.`
  return { ended: false, code: 'crashed', message, usage }
}

/** Seconds in the last line of `times`: user and system time of all children, as in `0m0.012s 0m0.004s`. */
export function cpuIn(report: string): number | undefined {
  const last = report.trim().split('\n').at(-1) ?? ''
  const found = [...last.matchAll(/(\d+)m(\d+[.,]\d+)s/g)]
  if (found.length !== 2) return undefined
  return found.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds?.replace(',', '.')),
    0,
  )
}
