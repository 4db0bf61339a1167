/** How a field of a form reports a new value. */
import type { JsonValue } from '#lib/spec/json'

/** Undefined takes the setting away, so that its default holds. */
export type Change = (value: JsonValue | undefined) => void
