/** Reads from Linux's /proc what a process and all its descendants use. Elsewhere nothing is known. */
import { readdirSync, readFileSync } from 'node:fs'

export interface TreeUse {
  readonly processes: number
  /** Private and shared memory of all of them, without the files that they have mapped. */
  readonly memoryBytes: number
  /** The most that one of them has used at one time. */
  readonly largestPeakBytes: number
  /** Of those that run and of their children that have ended. */
  readonly cpuSeconds: number
}

/** Clock ticks a second in /proc; Linux reports 100 on every architecture that Node supports. */
const ticks = 100

/**
 * What the tree below `root` uses, that process included; undefined if it has ended.
 * @param most counting stops when there are more processes than this
 */
export function readTree(root: number, most: number): TreeUse | undefined {
  if (process.platform !== 'linux') return undefined
  let use: TreeUse | undefined
  const pending = [root]
  for (let pid = pending.pop(); pid !== undefined; pid = pending.pop()) {
    const own = readProcess(pid)
    if (own === undefined) continue
    use = {
      processes: (use?.processes ?? 0) + 1,
      memoryBytes: (use?.memoryBytes ?? 0) + own.memoryBytes,
      largestPeakBytes: Math.max(use?.largestPeakBytes ?? 0, own.peakBytes),
      cpuSeconds: (use?.cpuSeconds ?? 0) + own.cpuSeconds,
    }
    if (use.processes > most) return use
    pending.push(...childrenOf(pid))
  }
  return use
}

function readProcess(pid: number) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
    // The name in parentheses may contain anything, so the fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpu = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    return {
      memoryBytes: (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1024,
      peakBytes: kilobytes('VmHWM') * 1024,
      cpuSeconds: cpu / ticks,
    }
  } catch {
    return undefined
  }
}

function childrenOf(pid: number): number[] {
  try {
    const folder = `/proc/${pid}/task`
    return readdirSync(folder).flatMap((thread) =>
      readFileSync(`${folder}/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}
