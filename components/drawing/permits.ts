/** What the policies allow each drawn entry before a run: how many of its tools are offered, withheld or asked. */
import type { Authority } from '#lib/wire/authority'

export interface Permit {
  readonly offered: number
  readonly withheld: number
  /** Of the offered tools, those for which a person is asked before each call. */
  readonly asks: number
  /** Why the first of the withheld tools is withheld. */
  readonly reason: string | undefined
}

/** By node id; the agent's is the sum of all. */
export type Permits = ReadonlyMap<string, Permit>

const none: Permit = { offered: 0, withheld: 0, asks: 0, reason: undefined }

/** `origins` are those of the drawing that was asked about. Permits that have not changed keep their object. */
export function permitsOf(
  { offered, withheld }: Pick<Authority, 'offered' | 'withheld'>,
  origins: Readonly<Record<string, string>>,
  previous: Permits,
): Permits {
  const permits = new Map<string, Permit>()
  const add = (entry: string, change: (known: Permit) => Permit) => {
    // The tool that switches groups belongs to the agent itself.
    for (const path of new Set([entry, 'agent'])) {
      const node = origins[path]
      if (node !== undefined) permits.set(node, change(permits.get(node) ?? none))
    }
  }
  for (const { entry, asks } of offered)
    add(entry, (known) => ({ ...known, offered: known.offered + 1, asks: known.asks + (asks ? 1 : 0) }))
  for (const { entry, reason } of withheld)
    add(entry, (known) => ({ ...known, withheld: known.withheld + 1, reason: known.reason ?? reason }))
  for (const [node, permit] of permits) {
    const before = previous.get(node)
    if (before !== undefined && isSame(before, permit)) permits.set(node, before)
  }
  return permits
}

function isSame(a: Permit, b: Permit): boolean {
  return a.offered === b.offered && a.withheld === b.withheld && a.asks === b.asks && a.reason === b.reason
}
