/** Globs over tool names, the one form of scope: `*` stands for any run of characters, all else for itself. */

/** Whether the whole name fits the glob; `schema.*` fits `schema.list_tables`, not `schema`. Linear for any number of stars. */
export function matchesGlob(glob: string, name: string): boolean {
  return glob.includes('*') ? globMatcher(glob)(name) : glob === name
}

/** As `matchesGlob`, for one glob that is asked about many names. */
export function globMatcher(glob: string): (name: string) => boolean {
  if (!glob.includes('*')) return (name) => glob === name
  const pieces = glob.split('*')
  const first = pieces.shift() ?? ''
  const last = pieces.pop() ?? ''
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false
    // Each piece between two stars may take its earliest place: a later one never leaves more room.
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

/** The answers of a list of globs, which is not changed once it has been read. */
interface Answers {
  readonly names: ReadonlySet<string>
  readonly withStars: readonly ((name: string) => boolean)[]
  readonly known: Map<string, boolean>
}

const answersOf = new WeakMap<readonly string[], Answers>()
/** Shorter lists are read through as fast as looked up. */
const shortList = 8
const mostKnown = 10_000

/** A long list answers for each name once, so that the same tools may be asked about at every step of a run. */
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

/**
 * What all patterns of one config may weigh together. Every tool is held against them before each step, so this, and not
 * the size of a body, bounds what a step costs.
 */
export const mostPatternWeight = 10_000

export interface PatternList {
  /** Where the list stands in the config: `policies/3/appliesTo`. */
  readonly path: string
  readonly globs: readonly string[]
}

/** The first list with which all together weigh too much. The message has no full stop. */
export function overweight<L extends PatternList>(
  lists: Iterable<L>,
): { readonly list: L; readonly message: string } | undefined {
  let weight = 0
  for (const list of lists) {
    weight += weightOf(list.globs)
    if (weight <= mostPatternWeight) continue
    const message = `The tools and policies have too many patterns: together they may count at most ${mostPatternWeight}, where a pattern counts one and each star in it one more. Take some out, or put one pattern in the place of several`
    return { list, message }
  }
  return undefined
}

/** About what it costs to hold one name against each: a pattern weighs one, and one more for each of its stars. */
function weightOf(globs: readonly string[]): number {
  return globs.reduce((sum, each) => sum + each.split('*').length, 0)
}
