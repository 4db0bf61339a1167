/** One check in progress: the work left, the current depth, and the findings. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import { isSchema } from './read'
import { type AnySchema, References } from './refs'
import { maxDepth, Unchecked, type Work } from './work'

/** One thing that does not fit. Findings of an inner schema follow the finding of the schema around it. */
export interface SchemaFinding {
  readonly keyword: string
  /** The keyword's location by the path taken: `#/properties/a/$ref/type`. */
  readonly keywordLocation: string
  /** The value's location: `#/a/0`. */
  readonly instanceLocation: string
  readonly error: string
}

/** Keys or indexes of a value that some keyword has checked successfully; used only for `unevaluated…`. */
export type Seen = Set<string | number>

/** Whether a value fits one keyword. Locations are empty while no findings are listed. */
export type Check = (
  run: SchemaCheck,
  value: JsonValue,
  instance: string,
  location: string,
  seen: Seen | undefined,
) => boolean

/** A schema's keywords, prepared once. */
export interface Ready {
  readonly checks: readonly Check[]
  /** Whether it must know which parts of a value were checked. */
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

export class SchemaCheck {
  #depth = 0
  #findings: SchemaFinding[] | undefined

  constructor(
    readonly document: Document,
    readonly work: Work,
    findings?: SchemaFinding[],
  ) {
    this.#findings = findings
  }

  /** When listing, all findings are collected; otherwise the first one decides. */
  get isListing(): boolean {
    return this.#findings !== undefined
  }

  /** The number of findings so far. */
  get mark(): number {
    return this.#findings?.length ?? 0
  }

  note(keyword: string, keywordLocation: string, instanceLocation: string, error: string): void {
    this.work.spend(findingSteps + (keywordLocation.length + instanceLocation.length + error.length) / 8)
    this.#findings?.push({ keyword, keywordLocation, instanceLocation, error })
  }

  /** Adds a finding whose message is known only after the findings that follow it. */
  noteBefore(keyword: string, keywordLocation: string, instanceLocation: string): { error: string } {
    this.work.spend(findingSteps + (keywordLocation.length + instanceLocation.length) / 8)
    const finding = { keyword, keywordLocation, instanceLocation, error: '' }
    this.#findings?.push(finding)
    return finding
  }

  /** Removes the findings since the mark. */
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

  /** Like `fits`, but without findings: for a schema that a value may or may not fit. */
  fitsQuietly(schema: unknown, value: JsonValue, seen?: Seen): boolean {
    const findings = this.#findings
    this.#findings = undefined
    const isFit = this.fits(schema, value, '', '', seen)
    this.#findings = findings
    return isFit
  }

  /** Adds to the parts checked by the surrounding schema. */
  addSeen(seen: Seen | undefined, more: Seen | undefined): void {
    if (seen === undefined || more === undefined) return
    this.work.spend(20 * more.size)
    for (const each of more) seen.add(each)
  }
}
