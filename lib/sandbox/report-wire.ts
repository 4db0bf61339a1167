/** What the process that reads the markdown of a report is asked and what it says, and the limits on a report. */

const mebibyte = 1024 * 1024

export const reportLimits = {
  markdownChars: 1_000_000,
  pictures: 50,
  /** Of all pictures. In base64 they are a third larger, and a workspace takes files of 5 MiB. */
  pictureBytes: 3.5 * mebibyte,
  milliseconds: 15_000,
  heapMiB: 384,
} as const

/** The whole input of the child, as JSON. */
export interface ReportAsk {
  readonly markdown: string
  /** Pictures get the address `<mark>0`, `<mark>1` and so on, to be replaced. Nobody who writes a text knows it. */
  readonly mark: string
}

/** The whole output of the child, as JSON. */
export interface ReportSaid {
  readonly html: string
  /** The text of the first heading, if the report begins with one. */
  readonly heading: string | null
  /** Addresses of pictures as the markdown has them, in the order of their numbers. */
  readonly pictures: readonly string[]
  readonly warnings: readonly string[]
}
