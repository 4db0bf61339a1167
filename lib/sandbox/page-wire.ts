/** The input and output of the process that reads pages, one JSON text each. */
export interface ReadPage {
  readonly html: string
  readonly url: string
}

export interface PageSource {
  readonly title: string
  readonly markdown: string
}
