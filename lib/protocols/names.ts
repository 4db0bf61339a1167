/** Names on the wire: providers take only `[A-Za-z0-9_-]{1,64}`, so each tool gets an alias, both ways without loss. */

const longest = 64
const hashed = 8

export interface WireNames {
  /** The alias of a tool. A name that is no tool keeps itself where a provider takes it, else gets an alias of its own. */
  toWire(name: string): string
  /** The tool meant by an alias or by its own name; what names no tool stays as it came. */
  toName(wire: string): string
}

/** Aliases for one run's tools: names that are legal keep themselves, whatever the others are. Names are distinct. */
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
    // Of two that would get the same alias neither does, so that aliases do not hang on the order of tools.
    const free = isLegal(plain) && wanted.get(plain) === 1 && !owners.has(plain)
    take(name, free ? plain : addHash(name, plain, owners))
  }
  return {
    toWire: (name) => aliases.get(name) ?? aliasOfUnknown(name, owners),
    toName: (wire) => owners.get(wire) ?? wire,
  }
}

/** A name in an old dialogue whose tool is gone; it must be legal and must not read as another tool's. */
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
  // Two hashes of 32 bits may be the same, and a tool may bear the very name made here: then the next one is tried.
  for (let turn = 0; ; turn++) {
    const alias = `${stem}_${fnv1a(turn === 0 ? name : `${name}\n${turn}`)}`
    if (!owners.has(alias)) return alias
  }
}

/** FNV-1a over UTF-16 units, 32 bits as 8 hex digits: tells names apart and protects nothing. */
function fnv1a(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(hashed, '0')
}
