/** The first lines of a text, and how many lines follow. Pure. */

export interface FirstLines {
  readonly text: string
  /** Lines left out; a line break at the very end starts no line. */
  readonly more: number
}

export function firstLines(text: string, most: number): FirstLines {
  let cut = -1
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) {
    if (lines === most) cut = at
    lines += 1
  }
  return cut < 0 ? { text, more: 0 } : { text: text.slice(0, cut), more: lines - most }
}
