/** The tree of runs that were forked from one another, as a flat list in the order in which a tree is read. Pure. */
import type { Branch } from '#lib/wire/runs'

export interface PlacedBranch {
  readonly branch: Branch
  /** How many runs it comes from, of those that are still there. */
  readonly depth: number
  /** The run it was forked from is gone. */
  readonly isOrphan: boolean
}

/** @param branches the oldest first: so are those of one parent here */
export function inTree(branches: readonly Branch[]): PlacedBranch[] {
  const known = new Set(branches.map(({ id }) => id))
  const children = new Map<string | null, Branch[]>()
  for (const each of branches) {
    const from = each.forkedFrom?.runId
    const parent = from !== undefined && known.has(from) ? from : null
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [each])
    else siblings.push(each)
  }
  const placed: PlacedBranch[] = []
  const left = (children.get(null) ?? []).toReversed().map((branch) => ({ branch, depth: 0 }))
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { branch, depth } = next
    placed.push({ branch, depth, isOrphan: depth === 0 && branch.forkedFrom !== null })
    for (const child of (children.get(branch.id) ?? []).toReversed())
      left.push({ branch: child, depth: depth + 1 })
  }
  return placed
}
