/** The languages of the code editor, and the properties that both halves of it share. */

export type Language = 'javascript' | 'json' | 'markdown' | 'sql' | 'text'

export interface CodeEditorProps {
  readonly value: string
  onChange?(value: string): void
  readonly language: Language
  readonly label: string
  readonly id?: string
  readonly placeholder?: string
  readonly readOnly?: boolean
  /** Lines shown at least, and at most before it scrolls. */
  readonly minLines?: number
  readonly maxLines?: number
  readonly describedBy?: string
  readonly invalid?: boolean
  readonly autoFocus?: boolean
  /** Characters from and to which are marked; the first is scrolled into view. */
  readonly marks?: readonly { readonly from: number; readonly to: number }[]
  /** Takes all the height there is. */
  readonly fills?: boolean
  /** Opens the search over the text when it grows. */
  readonly searches?: number
  onBlur?(): void
}

/** Languages in which Tab indents; elsewhere it goes on to the next field. */
export const indents = (language: Language) => language === 'javascript' || language === 'json'
