/** Resolves the references of one schema: by JSON pointer, by `$anchor`, and to parts with an `$id`. */
import type { JsonSchema } from '#lib/spec/json'
import { isSchema, stepsOf } from './read'
import { Unchecked } from './work'

export type AnySchema = JsonSchema | boolean

/** Keywords whose values are not schemas. */
export const plainKeywords: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples'])

/** The address of a schema without an `$id`. Nothing is ever fetched. */
const home = 'schema://here/'

export class References {
  /** The base address of relative references inside a schema; absent for the root's own. */
  readonly #bases = new Map<object, string>()
  readonly #byAddress = new Map<string, AnySchema>()
  readonly #known = new Map<object, AnySchema>()

  constructor(root: AnySchema) {
    this.#byAddress.set(home, root)
    if (isSchema(root)) this.#gather(root)
  }

  /** The schema that a `$ref` of the given schema leads to. Throws when there is none in this document. */
  target(schema: JsonSchema, reference: unknown): AnySchema {
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const found = typeof reference === 'string' ? this.#find(schema, reference) : undefined
    if (found === undefined) throw new Unchecked(`Unresolved $ref ${quoteReference(reference)}`)
    this.#known.set(schema, found)
    return found
  }

  #find(schema: JsonSchema, reference: string): AnySchema | undefined {
    const base = this.#bases.get(schema) ?? home
    const address = reference.startsWith('#') ? `${base}${reference}` : absolute(reference, base)
    if (address === undefined) return undefined
    const hash = address.indexOf('#')
    const resource = hash < 0 ? address : address.slice(0, hash)
    const fragment = hash < 0 ? '' : address.slice(hash)
    const root = this.#byAddress.get(resource)
    if (root === undefined) return undefined
    if (fragment === '' || fragment === '#') return root
    if (fragment.startsWith('#/')) return at(root, stepsOf(fragment))
    return this.#byAddress.get(address)
  }

  /** Records every `$id` and `$anchor`. Iterative, since the schema sets the depth. */
  #gather(root: JsonSchema): void {
    const left: { value: unknown; base: string }[] = [{ value: root, base: home }]
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      const { value } = each
      let { base } = each
      if (Array.isArray(value)) {
        for (const inner of value) if (typeof inner === 'object') left.push({ value: inner, base })
        continue
      }
      if (!isSchema(value)) continue
      if (typeof value.$id === 'string') {
        const own = absolute(value.$id, base)?.replace(/#$/, '')
        if (own !== undefined && !own.includes('#')) base = own
        if (own !== undefined && !this.#byAddress.has(own)) this.#byAddress.set(own, value)
      }
      if (typeof value.$anchor === 'string') {
        const own = `${base}#${value.$anchor}`
        if (!this.#byAddress.has(own)) this.#byAddress.set(own, value)
      }
      if (base !== home) this.#bases.set(value, base)
      for (const [key, inner] of Object.entries(value))
        if (typeof inner === 'object' && inner !== null && !plainKeywords.has(key))
          left.push({ value: inner, base })
    }
  }
}

function at(root: AnySchema, steps: readonly string[]): AnySchema | undefined {
  let found: unknown = root
  for (const step of steps) {
    if (Array.isArray(found)) found = found[Number(step)]
    else if (isSchema(found) && Object.hasOwn(found, step)) found = found[step]
    else return undefined
  }
  return isSchema(found) || typeof found === 'boolean' ? found : undefined
}

function absolute(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
}

function quoteReference(reference: unknown): string {
  return `${JSON.stringify(reference)}`.slice(0, 150)
}
