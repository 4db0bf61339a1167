/**
 * Tool names on the wire. Providers accept only `[A-Za-z0-9_-]{1,64}`, so each tool gets an
 * alias that maps back to it.
 */

const longest = 64
const hashed = 8

export interface WireNames {
  /**
   * The alias of a tool. An unknown name stays as it is if a provider accepts it, and
   * gets an alias otherwise.
   */
  toWire(name: string): string
  /** The tool for an alias or for its own name; an unknown name is returned unchanged. */
  toName(wire: string): string
}

/**
 * Creates the aliases for the tools of one run. A legal name is always its own alias.
 * The names must be distinct.
 */
export function wireNames(names: readonly string[]): WireNames {
  const aliases = new Map<string, string>()
  const owners = new Map<string, string>()
  const take = (name: string, alias: string) => {
    aliases.set(name, alias)
    owners.set(alias, name)
  }
  for (const name of names) if (isLegal(name)) take(name, name)
  const rest = names.filter((name) => !isLegal(name))
  const wanted = new Map<string, number>()
  for (const name of rest) wanted.set(legalForm(name), (wanted.get(legalForm(name)) ?? 0) + 1)
  for (const name of rest) {
    const plain = legalForm(name)
    // On a clash both names get a hash, so an alias never depends on tool order.
    const free = isLegal(plain) && wanted.get(plain) === 1 && !owners.has(plain)
    take(name, free ? plain : addHash(name, plain, owners))
  }
  return {
    toWire: (name) => aliases.get(name) ?? aliasOfUnknown(name, owners),
    toName: (wire) => owners.get(wire) ?? wire,
  }
}

/**
 * For a name in an old dialogue whose tool is gone: the alias must be legal and must not be another tool's.
 */
function aliasOfUnknown(name: string, owners: ReadonlyMap<string, string>): string {
  const plain = legalForm(name)
  return isLegal(plain) && !owners.has(plain) ? plain : addHash(name, plain, owners)
}

function isLegal(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}

function legalForm(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_')
}

function addHash(name: string, plain: string, owners: ReadonlyMap<string, string>): string {
  const stem = plain.slice(0, longest - hashed - 1)
  // A 32-bit hash may collide, and a tool may already have the name made here. In that
  // case the next one is tried.
  for (let turn = 0; ; turn++) {
    const alias = `${stem}_${fnv1a(turn === 0 ? name : `${name}\n${turn}`)}`
    if (!owners.has(alias)) return alias
  }
}

/** FNV-1a over UTF-16 units: 32 bits as 8 hex digits. It keeps names apart and is not for security. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(hashed, '0')
}
