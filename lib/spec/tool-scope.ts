/** Describes where an entry's tools get their scope names from. */

/**
 * How a policy wired to an entry names its tools, as data, so that canvas and server compile alike: `list` is
 * the key with globs, `prefix` a key whose value precedes each glob with a dot, `name` a key with a single
 * name, `choice` a key whose value stands for names.
 */
export interface Scope {
  readonly prefix?: string
  readonly list?: string
  readonly name?: string
  readonly choice?: ScopeChoice
}

/** The names of the tools for each value of the key; without a value, the first one counts. */
export interface ScopeChoice {
  readonly key: string
  readonly names: Readonly<Record<string, readonly string[]>>
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
