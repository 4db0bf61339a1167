/**
 * A control group that limits how many processes one script has at a time. The kernel's own limit for each user
 * does not count the processes of root, so a server that runs as root needs it against fork bombs.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where the controller of processes is: version 1 of control groups, and version 2. */
const places = ['/sys/fs/cgroup/pids', '/sys/fs/cgroup']

export interface ProcessGroup {
  /** A process whose id is written to this file belongs to the group, as does everything that it starts. */
  readonly members: string
  /** Call it when every process of the group has ended. */
  remove(): void
}

/** Undefined where this server does not run as root, or may not make such a group. */
export function createProcessGroup(most: number): ProcessGroup | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const place of places) {
    const folder = path.join(place, `loopwright-${randomUUID()}`)
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    try {
      writeFileSync(path.join(folder, 'pids.max'), String(most))
      return { members: path.join(folder, 'cgroup.procs'), remove: () => removeSoon(folder) }
    } catch {
      // This place has groups and does not count their processes.
      removeSoon(folder)
    }
  }
  return undefined
}

/** Whether the kernel limits the processes of a script, so that a watch that comes late does no harm. */
export function limitsProcesses(): boolean {
  if (process.getuid?.() !== 0) return true
  const group = createProcessGroup(1)
  group?.remove()
  return group !== undefined
}

/** A group that has just become empty can be busy for a moment. */
function removeSoon(folder: string, tries = 5): void {
  try {
    rmdirSync(folder)
  } catch {
    if (tries > 0) setTimeout(() => removeSoon(folder, tries - 1), 200).unref()
  }
}
