/**
 * Globs over tool names, the only form of scope: `*` matches any run of characters, others only themselves.
 */

/**
 * Whether the whole name matches: `schema.*` matches `schema.list_tables`, not `schema`. Takes linear time.
 */
export function matchesGlob(glob: string, name: string): boolean {
  return glob.includes('*') ? globMatcher(glob)(name) : glob === name
}

/** Like `matchesGlob`, for one glob and many names. */
export function globMatcher(glob: string): (name: string) => boolean {
  if (!glob.includes('*')) return (name) => glob === name
  const pieces = glob.split('*')
  const first = pieces.shift() ?? ''
  const last = pieces.pop() ?? ''
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    // Each piece between two stars can take its earliest match, since a later one never leaves more room.
    const end = name.length - last.length
    let at = first.length
    for (const piece of pieces) {
      const found = name.indexOf(piece, at)
      if (found < 0 || found + piece.length > end) return false
      at = found + piece.length
    }
    return true
  }
}

/** The cached answers of a list of globs, which must not change after its first use. */
interface Answers {
  readonly names: ReadonlySet<string>
  readonly withStars: readonly ((name: string) => boolean)[]
  readonly known: Map<string, boolean>
}

const answersOf = new WeakMap<readonly string[], Answers>()
/** Scanning a shorter list is as fast as a lookup. */
const shortList = 8
const mostKnown = 10_000

/**
 * Whether any glob matches. A long list caches its answer for each name, as each step checks the same tools.
 */
export function matchesAny(globs: readonly string[], name: string): boolean {
  if (globs.length <= shortList) return globs.some((each) => matchesGlob(each, name))
  let answers = answersOf.get(globs)
  if (answers === undefined) {
    const unique = new Set(globs)
    const withStars = [...unique].filter((each) => each.includes('*')).map(globMatcher)
    answers = { names: unique, withStars, known: new Map() }
    answersOf.set(globs, answers)
  }
  const known = answers.known.get(name)
  if (known !== undefined) return known
  const found =
    (answers.names.has(name) && !name.includes('*')) || answers.withStars.some((fits) => fits(name))
  if (answers.known.size >= mostKnown) answers.known.clear()
  answers.known.set(name, found)
  return found
}

/** The value of the longest pattern that fits the name; undefined when none fits. */
export function longestMatch<T>(byPattern: Readonly<Record<string, T>>, name: string): T | undefined {
  let best: readonly [string, T] | undefined
  for (const each of Object.entries(byPattern))
    if (matchesGlob(each[0], name) && each[0].length > (best?.[0].length ?? -1)) best = each
  return best?.[1]
}

/**
 * The most weight of all patterns of a config together. Every tool is matched against them before each step,
 * so this limit, not the size of the config, bounds the cost of a step.
 */
export const mostPatternWeight = 10_000

export interface PatternList {
  /** The place of the list in the config: `policies/3/appliesTo`. */
  readonly path: string
  readonly globs: readonly string[]
}

/** The first list that brings the total weight over the limit. The message has no full stop. */
export function overweight<L extends PatternList>(
  lists: Iterable<L>,
): { readonly list: L; readonly message: string } | undefined {
  let weight = 0
  for (const list of lists) {
    weight += weightOf(list.globs)
    if (weight <= mostPatternWeight) continue
    const message = `The tools and policies have too many patterns: together they may count at most ${mostPatternWeight}, where a pattern counts as one and each star in it as one more. Remove some, or replace several patterns with one`
    return { list, message }
  }
  return undefined
}

/** The approximate cost of matching one name: each pattern weighs one, and one more for each of its stars. */
function weightOf(globs: readonly string[]): number {
  return globs.reduce((sum, each) => sum + each.split('*').length, 0)
}
