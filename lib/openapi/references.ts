/** Follows `$ref` within one document, in bounded work: a document may refer to itself without end. */
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'

/** Why an operation cannot be used, as one sentence for a person. */
export class Unusable extends Error {}

const longestChain = 20

export class DocumentReferences {
  readonly #root: JsonObject
  #left: number
  #leftOfPart: number

  /** @param most how many values all reading together may visit */
  constructor(root: JsonObject, most: number) {
    this.#root = root
    this.#left = most
    this.#leftOfPart = most
  }

  /** Begins to read another part of the document, which may visit so many values. */
  begin(most: number): void {
    this.#leftOfPart = Math.min(most, this.#left)
  }

  /** Counts work. Throws when there is too much of it once references are followed. */
  spend(): void {
    this.#left -= 1
    this.#leftOfPart -= 1
    if (this.#leftOfPart < 0) throw new Unusable('It is too large once its references are followed.')
  }

  /** The value that a reference leads to; other values as they are. */
  follow(value: JsonValue | undefined): JsonValue | undefined {
    let found = value
    for (let step = 0; step < longestChain; step++) {
      this.spend()
      const ref = refIn(found)
      if (ref === undefined) return found
      found = this.#at(ref)
    }
    throw new Unusable('A reference leads to itself.')
  }

  #at(ref: string): JsonValue | undefined {
    if (!ref.startsWith('#'))
      throw new Unusable(`It refers to another document (${ref.slice(0, 80)}), which is not fetched.`)
    let found: JsonValue | undefined = this.#root
    for (const part of ref.slice(1).split('/').slice(1)) {
      const key = decode(part)
      const holder: JsonValue | undefined = found
      if (Array.isArray(holder)) found = holder[Number(key)]
      else found = isObject(holder) && Object.hasOwn(holder, key) ? holder[key] : undefined
    }
    if (found === undefined)
      throw new Unusable(`It refers to ${ref.slice(0, 80)}, which is not in the document.`)
    return found
  }
}

/** The reference that a value is; undefined for other values. */
export function refIn(value: JsonValue | undefined): string | undefined {
  return isObject(value) && typeof value.$ref === 'string' ? value.$ref : undefined
}

function decode(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}
