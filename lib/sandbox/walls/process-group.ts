/**
 * A control group that limits how many processes one script has at a time. The kernel's own limit for each user
 * does not count the processes of root, so a server that runs as root needs it against fork bombs.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
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
  return process.getuid?.() === 0 ? groupIn(places, most) : undefined
}

/** A group in the first of these folders in which one can be made. */
export function groupIn(folders: readonly string[], most: number): ProcessGroup | undefined {
  for (const place of folders) {
    const folder = path.join(place, `loopwright-${randomUUID()}`)
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    try {
      const limit = path.join(folder, 'pids.max')
      // The kernel makes this file. In a plain folder, and in a group that does not count, writing would limit nothing.
      if (!existsSync(limit)) throw new Error('processes are not counted here')
      writeFileSync(limit, String(most))
      return { members: path.join(folder, 'cgroup.procs'), remove: () => removeSoon(folder) }
    } catch {
      removeSoon(folder)
    }
  }
  return undefined
}

/** Whether the kernel limits the processes of a script, so that a watch that comes late does no harm. */
export function limitsProcesses(): boolean {
  if (process.getuid?.() !== 0) return true
  const group = createProcessGroup(1)
  if (group === undefined) return false
  const { status } = spawnSync('/bin/sh', ['-c', `echo $$ 2>/dev/null >${group.members}`])
  group.remove()
  return status === 0
}

/** A group that has just become empty can be busy for a moment. */
function removeSoon(folder: string, tries = 5): void {
  try {
    rmdirSync(folder)
  } catch {
    if (tries > 0) setTimeout(() => removeSoon(folder, tries - 1), 200).unref()
  }
}
