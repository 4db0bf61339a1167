/** What every control of a form is given, and how it reports a new value. */
import type { JsonValue } from '#lib/spec/json'

/** Undefined removes the setting, so that its default applies. */
export type Change = (value: JsonValue | undefined) => void

export interface ControlProps {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly error: string | undefined
  /** The value that is set; undefined while the default applies. */
  readonly value: JsonValue | undefined
  readonly onChange: Change
}
