/**
 * The processes of servers: each leads a process group, which is ended as a whole, and is recorded on disk, so that
 * the next start ends those that a killed server left behind.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isObject, tryParseJson } from '#lib/spec/json'

/** Sends a signal to a process and all its descendants that have not left its group. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    // Windows has no process groups.
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
    return true
  } catch {
    return false
  }
}

export interface ProcessRecords {
  /** Ends what an earlier server left behind. Returns how many groups that were. */
  sweep(): number
  add(child: ChildProcess): void
}

const alive = new Set<number>()
let isWatchingExit = false

/** @param folder where processes are recorded; without it, none are */
export function createProcessRecords(folder?: string): ProcessRecords {
  const fileOf = (pid: number) => (folder === undefined ? undefined : path.join(folder, `${pid}.json`))
  const forget = (pid: number) => {
    alive.delete(pid)
    const file = fileOf(pid)
    if (file !== undefined) rmSync(file, { force: true })
  }
  return {
    sweep() {
      let ended = 0
      for (const { pid, startedAt, file } of readRecords(folder)) {
        if (isSame(pid, startedAt) && signalGroup(pid, 'SIGKILL')) ended++
        rmSync(file, { force: true })
      }
      return ended
    },
    add(child) {
      const { pid } = child
      if (pid === undefined) return
      endAllAtExit()
      alive.add(pid)
      const file = fileOf(pid)
      const startedAt = startOf(pid)
      if (file !== undefined && startedAt !== undefined) {
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, JSON.stringify({ pid, startedAt }))
      }
      child.once('exit', () => {
        // What it has started itself may still be there.
        signalGroup(pid, 'SIGKILL')
        forget(pid)
      })
    },
  }
}

function endAllAtExit(): void {
  if (isWatchingExit) return
  isWatchingExit = true
  process.once('exit', () => {
    for (const pid of alive) signalGroup(pid, 'SIGKILL')
  })
}

interface ProcessRecord {
  readonly pid: number
  readonly startedAt: string
  readonly file: string
}

function readRecords(folder: string | undefined): ProcessRecord[] {
  if (folder === undefined) return []
  return namesIn(folder).flatMap((name) => {
    const file = path.join(folder, name)
    const value = tryParseJson(readText(file) ?? '')
    const { pid, startedAt } = isObject(value) ? value : {}
    const isRecord = typeof pid === 'number' && pid > 1 && typeof startedAt === 'string'
    return isRecord ? [{ pid, startedAt, file }] : []
  })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch {
    return []
  }
}

/**
 * Whether this is still the recorded process, or what is left of its group: no other process gets its id while the
 * group exists.
 */
function isSame(pid: number, startedAt: string): boolean {
  const now = startOf(pid)
  return now === startedAt || (now === undefined && startedAt.startsWith(`${bootOf()} `))
}

/** When a process started, as a text that no other process with its id has; undefined if there is none. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  if (stat === undefined) return undefined
  // The name of the program, in parentheses, may contain spaces; the 22nd field is the start time.
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  return ticks === undefined ? undefined : `${bootOf()} ${ticks}`
}

function bootOf(): string {
  return readText('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown'
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
