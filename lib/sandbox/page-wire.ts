/** What the process that reads pages is given, and what it gives back: one JSON text each. */
export interface ReadPage {
  readonly html: string
  readonly url: string
}

export interface PageSource {
  readonly title: string
  readonly markdown: string
}
