/** Finds the rows of the table for a path, in one walk along its segments. */
import type { RouteRow } from './row'

/** A path of the table, with a row for each of its methods. */
export interface RoutePath {
  readonly rows: ReadonlyMap<string, RouteRow>
  /** Its methods, as the value of the header `Allow`. */
  readonly allow: string
  /** The names of its parameters, in order. */
  readonly names: readonly string[]
}

interface Match {
  readonly place: RoutePath
  /** The value of each parameter, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>
}

interface Branch {
  readonly fixed: Map<string, Branch>
  any?: Branch
  /** For `{...path}`. */
  rest?: RoutePath
  place?: RoutePath
}

/**
 * Reads the table once. A fixed segment takes precedence over a parameter, and both over the rest of a path.
 */
export function createMatcher(rows: readonly RouteRow[]): (pathname: string) => Match | undefined {
  const root = newBranch()
  for (const path of new Set(rows.map((row) => row.path)))
    addPath(
      root,
      path,
      rows.filter((row) => row.path === path),
    )
  return (pathname) => {
    const segments = segmentsOf(pathname)
    const found = find(root, segments, 0, [])
    if (found === undefined) return undefined
    const params = found.place.names.map((name, index) => [name, found.values[index] ?? ''])
    return { place: found.place, params: Object.fromEntries(params) }
  }
}

function newBranch(): Branch {
  return { fixed: new Map() }
}

function segmentsOf(path: string): string[] {
  return path.slice(1).split('/')
}

function addPath(root: Branch, path: string, rows: readonly RouteRow[]): void {
  const place: RoutePath = {
    rows: new Map(rows.map((row) => [row.method, row])),
    allow: rows.map(({ method }) => method).join(', '),
    names: [...path.matchAll(/\{(?:\.\.\.)?(\w+)\}/g)].map(([, name = '']) => name),
  }
  let branch = root
  for (const segment of segmentsOf(path)) {
    if (segment.startsWith('{...')) {
      branch.rest = place
      return
    }
    branch = nextBranch(branch, segment)
  }
  branch.place = place
}

function nextBranch(branch: Branch, segment: string): Branch {
  if (segment.startsWith('{')) {
    branch.any ??= newBranch()
    return branch.any
  }
  const next = branch.fixed.get(segment) ?? newBranch()
  branch.fixed.set(segment, next)
  return next
}

interface Found {
  readonly place: RoutePath
  readonly values: readonly string[]
}

function find(
  branch: Branch,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): Found | undefined {
  const segment = segments[at]
  if (segment === undefined) return branch.place && { place: branch.place, values }
  const fixed = branch.fixed.get(segment)
  const byName = fixed && find(fixed, segments, at + 1, values)
  if (byName) return byName
  const byValue = branch.any && find(branch.any, segments, at + 1, [...values, segment])
  if (byValue) return byValue
  return branch.rest && { place: branch.rest, values: [...values, segments.slice(at).join('/')] }
}
