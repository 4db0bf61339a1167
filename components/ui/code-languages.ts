/** The languages of the code editor, and the properties that its two parts share. */

export type Language = 'javascript' | 'json' | 'markdown' | 'python' | 'sql' | 'text'

export interface CodeEditorProps {
  readonly value: string
  onChange?(value: string): void
  readonly language: Language
  readonly label: string
  readonly id?: string
  readonly placeholder?: string
  readonly readOnly?: boolean
  /** The fewest lines it shows, and the most before it scrolls. */
  readonly minLines?: number
  readonly maxLines?: number
  readonly describedBy?: string
  readonly invalid?: boolean
  readonly autoFocus?: boolean
  /** The ranges of characters that are marked; the first one is scrolled into view. */
  readonly marks?: readonly { readonly from: number; readonly to: number }[]
  /** Takes all the available height. */
  readonly fills?: boolean
  /** Opens the search panel each time this number grows. */
  readonly searches?: number
  onBlur?(): void
}

/** Languages in which Tab indents; in the others it moves to the next field. */
export const indents = (language: Language) =>
  language === 'javascript' || language === 'json' || language === 'python'
