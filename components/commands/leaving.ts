/** What asks before a page of the product is left for another: links ask it, and so does whatever else goes there. */

/** False keeps the page. */
export type LeaveGuard = () => boolean

const guards = new Set<LeaveGuard>()

/** Asks `guard` before the page is left; gives back what ends that. */
export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/** Whether one may go from `here` to `href`: within a page nothing is left, so nothing is asked. */
export function mayLeave(href: string, here: string): boolean {
  if (new URL(href, here).pathname === new URL(here).pathname) return true
  return [...guards].every((guard) => guard())
}
