/** Describes where an entry's tools get their scope names from. */

/**
 * How a policy wired to an entry names its tools, as data, so that canvas and server compile alike: `list` is
 * the key with globs, `prefix` a key whose value precedes each glob with a dot, `name` a key with a single
 * name, `choice` a key whose value stands for names. `without` is a key with globs that are taken out of the list.
 */
export interface Scope {
  readonly prefix?: string
  readonly list?: string
  /** The key that holds the name of an item, where the list holds objects. */
  readonly itemName?: string
  readonly without?: string
  readonly name?: string
  readonly choice?: ScopeChoice
}

/** The names of the tools for each value of the key; without a value, the first one counts. */
export interface ScopeChoice {
  readonly key: string
  readonly names: Readonly<Record<string, readonly string[]>>
}

/** The globs or names that an entry lists. */
export function listedNames(
  { list, itemName }: Pick<Scope, 'list' | 'itemName'>,
  config: Readonly<Record<string, unknown>>,
): string[] {
  const items = list === undefined ? undefined : config[list]
  if (!Array.isArray(items)) return []
  const names = itemName === undefined ? items : items.map((each) => each?.[itemName])
  return names.filter((each) => typeof each === 'string')
}

/** The names that an entry has chosen. */
export function chosenNames(
  { key, names }: ScopeChoice,
  config: Readonly<Record<string, unknown>>,
): string[] {
  const given = config[key]
  const value = typeof given === 'string' ? given : Object.keys(names)[0]
  return value !== undefined && Object.hasOwn(names, value) ? [...(names[value] ?? [])] : []
}

/** The globs that an entry both lists and takes out, which is an error. */
export function bothWays({ list, without }: Scope, entry: Readonly<Record<string, unknown>>): string[] {
  const textsOf = (key: string | undefined) => {
    const value = key === undefined ? undefined : entry[key]
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
  }
  const out = new Set(textsOf(without))
  return textsOf(list).filter((each) => out.has(each))
}

/** The error for globs that an entry both lists and takes out; undefined if there are none. */
export function bothWaysWords(scope: Scope, entry: Readonly<Record<string, unknown>>): string | undefined {
  const both = bothWays(scope, entry)
  if (both.length === 0) return undefined
  const names = both.map((each) => `“${each}”`).join(', ')
  return `${names} cannot be in both “${scope.list}” and “${scope.without}”. Take it out of one of them.`
}
