/** One check under way: the work that is left, how deep it is, and what was found. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { isSchema } from './read'
import { type AnySchema, References } from './refs'
import { maxDepth, Unchecked, type Work } from './work'

/** One thing that does not fit. Those of a schema within a schema follow the one that says so of the schema around it. */
export interface SchemaFinding {
  readonly keyword: string
  /** Where the keyword stands, as it was reached: `#/properties/a/$ref/type`. */
  readonly keywordLocation: string
  /** Where the value stands: `#/a/0`. */
  readonly instanceLocation: string
  readonly error: string
}

/** Keys or indexes of a value that some keyword has looked at and found right; for `unevaluated…` alone. */
export type Seen = Set<string | number>

/** Whether a value fits one keyword. Locations are empty while nothing is listed. */
export type Check = (
  run: Run,
  value: JsonValue,
  instance: string,
  location: string,
  seen: Seen | undefined,
) => boolean

/** A schema's keywords, made ready once. */
export interface Ready {
  readonly checks: readonly Check[]
  /** Whether it has to know which parts of a value were looked at. */
  readonly isTracking: boolean
}

export class Document {
  readonly references: References
  readonly #ready = new Map<JsonSchema, Ready>()
  readonly #makeReady: (schema: JsonSchema) => Ready

  constructor(root: AnySchema, makeReady: (schema: JsonSchema) => Ready) {
    this.references = new References(root)
    this.#makeReady = makeReady
  }

  ready(schema: JsonSchema): Ready {
    let ready = this.#ready.get(schema)
    if (ready === undefined) {
      ready = this.#makeReady(schema)
      this.#ready.set(schema, ready)
    }
    return ready
  }
}

const schemaSteps = 10
const findingSteps = 100

export class Run {
  #depth = 0
  #findings: SchemaFinding[] | undefined

  constructor(
    readonly document: Document,
    readonly work: Work,
    findings?: SchemaFinding[],
  ) {
    this.#findings = findings
  }

  /** Without a list the first thing that does not fit decides; with one, all of them are wanted. */
  get isListing(): boolean {
    return this.#findings !== undefined
  }

  /** How many findings there are. */
  get mark(): number {
    return this.#findings?.length ?? 0
  }

  note(keyword: string, keywordLocation: string, instanceLocation: string, error: string): void {
    this.work.spend(findingSteps + (keywordLocation.length + instanceLocation.length + error.length) / 8)
    this.#findings?.push({ keyword, keywordLocation, instanceLocation, error })
  }

  /** Notes a finding whose sentence is known only after those that follow it. */
  noteBefore(keyword: string, keywordLocation: string, instanceLocation: string): { error: string } {
    this.work.spend(findingSteps + (keywordLocation.length + instanceLocation.length) / 8)
    const finding = { keyword, keywordLocation, instanceLocation, error: '' }
    this.#findings?.push(finding)
    return finding
  }

  /** Takes back what was noted since the mark. */
  back(mark: number): void {
    if (this.#findings !== undefined) this.#findings.length = mark
  }

  fits(
    schema: unknown,
    value: JsonValue,
    instance = '#',
    location = '#',
    seen: Seen | undefined = undefined,
  ): boolean {
    if (schema === true) return true
    if (schema === false) {
      if (this.isListing) this.note('false', instance, instance, 'False boolean schema.')
      return false
    }
    if (!isSchema(schema)) throw new Unchecked('a part of it is neither an object nor true or false')
    this.work.spend(schemaSteps)
    if (++this.#depth > maxDepth)
      throw new Unchecked(`it is nested more than ${maxDepth} levels deep, or refers to itself without end`)
    const { checks, isTracking } = this.document.ready(schema)
    const own = seen ?? (isTracking ? new Set() : undefined)
    let isFit = true
    for (const check of checks) {
      if (check(this, value, instance, location, own)) continue
      isFit = false
      if (!this.isListing) break
    }
    this.#depth--
    return isFit
  }

  /** As `fits`, noting nothing: for a schema that a value may or may not fit. */
  fitsQuietly(schema: unknown, value: JsonValue, seen?: Seen): boolean {
    const findings = this.#findings
    this.#findings = undefined
    const isFit = this.fits(schema, value, '', '', seen)
    this.#findings = findings
    return isFit
  }

  /** Adds to what the schema around has seen. */
  addSeen(seen: Seen | undefined, more: Seen | undefined): void {
    if (seen === undefined || more === undefined) return
    this.work.spend(20 * more.size)
    for (const each of more) seen.add(each)
  }
}
