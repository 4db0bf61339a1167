/** The input and output of the process that reads pages, one JSON text each. */
export interface ReadPage {
  readonly html: string
  readonly url: string
  /** The whole text, and not only the main article. */
  readonly isWhole?: true
}

export interface PageSource {
  readonly title: string
  readonly markdown: string
}
