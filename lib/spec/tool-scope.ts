/** Where the tools of an entry get their scope from. */

/**
 * How a policy wired to an entry names its tools, as data, so that canvas and server compile alike:
 * `list` is the key holding globs, `prefix` a key put before each with a dot, `name` a key holding the one name.
 */
export interface Scope {
  readonly prefix?: string
  readonly list?: string
  readonly name?: string
}
