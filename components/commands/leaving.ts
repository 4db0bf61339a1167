/**
 * Functions that are asked before a person leaves a page for another page of the product, by links and by all
 * other navigation.
 */

/** Returns false to stay on the page. */
export type LeaveGuard = () => boolean

const guards = new Set<LeaveGuard>()

/** Asks `guard` before the page is left; returns a function that removes it. */
export function guardLeaving(guard: LeaveGuard): () => void {
  guards.add(guard)
  return () => void guards.delete(guard)
}

/**
 * Whether a person may go from `here` to `href`. A link within the page leaves nothing, so no guard is asked.
 */
export function mayLeave(href: string, here: string): boolean {
  if (new URL(href, here).pathname === new URL(here).pathname) return true
  return [...guards].every((guard) => guard())
}
