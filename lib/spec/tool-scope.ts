/** Describes where an entry's tools get their scope names from. */

/**
 * How a policy wired to an entry names its tools, as data, so that canvas and server compile alike: `list` is
 * the key with globs, `prefix` a key whose value precedes each glob with a dot, `name` a key with a single
 * name.
 */
export interface Scope {
  readonly prefix?: string
  readonly list?: string
  readonly name?: string
}
