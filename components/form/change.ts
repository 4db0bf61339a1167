/** How a field of a form reports a new value. */
import type { JsonValue } from '#lib/spec/json'

/** Undefined removes the setting, so that its default applies. */
export type Change = (value: JsonValue | undefined) => void
