/** Watches what the processes of one script use while they run, and says when it is more than they may. */
import { lstat, opendir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { ScriptUsage } from '#lib/spec/script-usage'
import type { ScriptFault, ScriptLimits } from '#lib/spec/walls'
import { readTree } from './process-tree'

export interface Overuse {
  readonly code: Extract<ScriptFault, 'memory' | 'processes' | 'disk' | 'timeout'>
  readonly message: string
}

interface Watching {
  readonly pid: number
  readonly limits: ScriptLimits
  /** The folders whose size counts. */
  readonly folders: readonly string[]
  /** Called once at most. */
  onOveruse(overuse: Overuse): void
}

/** The first looks come soon, so that short scripts are measured too; then one each tenth of a second. */
const lookAfterMs = [10, 20, 40]
const lookEveryMs = 100
const diskEveryMs = 250
/** A script that leaves less than this on the disk is stopped, whatever its own files take. */
const leastFreeBytes = 64 * 1024 * 1024
/** A file system that creates many entries is as bad as one that creates large ones. */
const mostEntries = 50_000
const mebibyte = 1024 * 1024

export class Watch {
  private readonly startedAt = performance.now()
  private peak = 0
  private cpu = 0
  private isMeasured = false
  private isOver = false
  private looks = 0
  private timer: NodeJS.Timeout | undefined
  private diskTimer: NodeJS.Timeout | undefined
  private readonly late: NodeJS.Timeout

  constructor(private readonly watching: Watching) {
    const { timeoutMs } = watching.limits
    this.late = setTimeout(
      () => this.end('timeout', `ran longer than ${timeoutMs / 1_000} seconds`),
      timeoutMs,
    )
    this.lookLater()
    this.measureLater(diskEveryMs)
  }

  /** Stops watching. `reported` is what the program itself has counted. */
  stop(reported: { readonly cpuSeconds?: number; readonly peakBytes?: number } = {}): ScriptUsage {
    this.isOver = true
    clearTimeout(this.timer)
    clearTimeout(this.diskTimer)
    clearTimeout(this.late)
    const { cpuSeconds, peakBytes } = reported
    const cpu = Math.max(this.cpu, cpuSeconds ?? 0)
    return {
      wallMs: Math.round(performance.now() - this.startedAt),
      cpuSeconds: this.isMeasured || cpuSeconds !== undefined ? cpu : null,
      peakMemoryBytes: peakBytes ?? (this.isMeasured ? this.peak : null),
    }
  }

  private end(code: Overuse['code'], did: string): void {
    if (this.isOver) return
    this.isOver = true
    this.watching.onOveruse({
      code,
      message: `The script ${did} and was stopped. None of its changes were kept.`,
    })
  }

  private lookLater(): void {
    this.timer = setTimeout(() => this.look(), lookAfterMs[this.looks] ?? lookEveryMs)
    this.looks += 1
  }

  private look(): void {
    const { pid, limits } = this.watching
    const use = readTree(pid, limits.processes * 2)
    if (use !== undefined) {
      this.isMeasured = true
      this.peak = Math.max(this.peak, use.memoryBytes, use.largestPeakBytes)
      this.cpu = Math.max(this.cpu, use.cpuSeconds)
      if (use.memoryBytes > limits.memoryMiB * mebibyte)
        this.end('memory', `used more than ${limits.memoryMiB} MiB of memory`)
      if (use.processes > limits.processes)
        this.end('processes', `had more than ${limits.processes} processes`)
    }
    if (!this.isOver) this.lookLater()
  }

  private measureLater(afterMs: number): void {
    this.diskTimer = setTimeout(() => void this.measure(), afterMs)
  }

  private async measure(): Promise<void> {
    const { folders, limits } = this.watching
    const from = performance.now()
    const most = limits.diskMiB * mebibyte
    let used = { bytes: 0, entries: 0 }
    for (const folder of folders) {
      used = await sizeOf(folder, used, (so) => so.bytes <= most && so.entries <= mostEntries)
    }
    const [first = '/'] = folders
    const free = await statfs(first).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    )
    if (used.bytes > most) this.end('disk', `used more than ${limits.diskMiB} MiB of the disk`)
    else if (used.entries > mostEntries) this.end('disk', `made more than ${mostEntries} files and folders`)
    else if (free < leastFreeBytes) this.end('disk', 'filled the disk of the server')
    // Measuring may take at most a fifth of the time.
    if (!this.isOver) this.measureLater(Math.max(diskEveryMs, 4 * (performance.now() - from)))
  }
}

interface Size {
  readonly bytes: number
  readonly entries: number
}

/** The disk blocks of everything below a folder, added to `before`. Entries that go away meanwhile count nothing. */
async function sizeOf(folder: string, before: Size, goesOn: (so: Size) => boolean): Promise<Size> {
  let { bytes, entries } = before
  const pending = [folder]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    try {
      for await (const { name } of await opendir(at)) {
        const inner = path.join(at, name)
        const stats = await lstat(inner).catch(() => undefined)
        if (stats === undefined) continue
        bytes += stats.blocks * 512
        entries += 1
        if (stats.isDirectory()) pending.push(inner)
        if (!goesOn({ bytes, entries })) return { bytes, entries }
      }
    } catch {
      // The folder has gone, or the script has closed it; it is measured next time.
    }
  }
  return { bytes, entries }
}
