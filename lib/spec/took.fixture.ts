/** Measures work by what it costs this process, so that a busy machine has no say in a test. */

/** Milliseconds of processor time of this process, its system calls included. */
export function took(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
