/** Measures work by this process's processor time, which does not depend on how busy the machine is. */

/** Milliseconds of processor time of this process, its system calls included. */
export function took(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
