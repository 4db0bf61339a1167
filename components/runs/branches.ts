/** The tree of forked runs as a flat list, in reading order. Pure. */
import { addTo } from '#lib/spec/lists'
import type { Branch } from '#lib/wire/runs'

export interface PlacedBranch {
  readonly branch: Branch
  /** How many ancestors it has, counting only runs that still exist. */
  readonly depth: number
  /** The run it was forked from was deleted. */
  readonly isOrphan: boolean
}

/** @param branches oldest first; the children of one parent keep that order */
export function inTree(branches: readonly Branch[]): PlacedBranch[] {
  const known = new Set(branches.map(({ id }) => id))
  const children = new Map<string | null, Branch[]>()
  for (const each of branches) {
    const from = each.forkedFrom?.runId
    const parent = from !== undefined && known.has(from) ? from : null
    addTo(children, parent, each)
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
