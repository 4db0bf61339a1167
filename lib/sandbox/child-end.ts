/** Ends child programs with all that they have started, and tells what ended one. */
import type { ChildProcess } from 'node:child_process'

/** The signal or the code with which a child has ended; null if it never started. */
export type ChildExit = NodeJS.Signals | number | null

/** Resolves once the child has ended and its pipes are closed. */
export function exitOf(child: ChildProcess): Promise<ChildExit> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(null))
    child.on('close', (code, by) => resolve(by ?? code))
  })
}

/** A shell or a sandbox around a child reports the signal that ended it as 128 and its number. */
const signalOffset = 128
/** SIGXCPU, as a shell or a sandbox around a child reports it. */
export const outOfTimeCode = signalOffset + 24

/** The limit that ended a child; broken if it ended by itself. */
export function exitFault(exit: ChildExit): 'timeout' | 'memory' | 'broken' {
  if (exit === 'SIGXCPU' || exit === outOfTimeCode) return 'timeout'
  const isSignal = typeof exit === 'number' ? exit > signalOffset : exit !== null
  return isSignal ? 'memory' : 'broken'
}

/** Kills a child that leads a process group, and whatever it may have started. */
export function killGroup(child: ChildProcess): void {
  // The system may use the number of a process that has ended for another one.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The process group is already gone.
  }
  child.kill('SIGKILL')
}
