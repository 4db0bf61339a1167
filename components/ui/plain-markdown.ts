/** A markdown text as plain words, for a place with room for one line: its marks are left out. */

/** More than any line shows; what follows is not read. */
const most = 2_000

/**
 * Leaves out the marks of headings, quotes, emphasis, code, links and tables. A mark that may be part of the
 * text, as in `2 * 3` or `snake_case`, is kept.
 */
export function plainMarkdown(text: string): string {
  if (!marks.test(text.slice(0, most))) return text
  const lines = text
    .slice(0, most)
    .split('\n')
    .filter((line) => !isMarkOnly(line))
  const rest = text.length > most ? text.slice(most) : ''
  return `${lines.map(plainLine).join('\n')}${rest}`
}

const marks = /[*_`~#>|[\]]/

/** A line without words: the fence of a block of code, or the line below the head of a table. */
function isMarkOnly(line: string): boolean {
  const bare = line.trim()
  return (
    /^(```|~~~)[\w-]*$/.test(bare) || (/^[|:\- ]+$/.test(bare) && bare.includes('|') && bare.includes('-'))
  )
}

function plainLine(line: string): string {
  const start = line.replace(/^ {0,3}(?:#{1,6} +|> ?)/, '')
  const cells = /^\s*\|.*\|\s*$/.test(start) ? start.trim().slice(1, -1).split('|') : [start]
  return plainSpans(cells.map((each) => (cells.length > 1 ? each.trim() : each)).join(', '))
}

/** Each mark is found within one line and a bounded length, so that the work is linear in the text. */
function plainSpans(line: string): string {
  return line
    .replace(/!?\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/(\*\*|~~)(?=\S)([^*~]{1,400}?)(?<=\S)\1/g, '$2')
    .replace(/(?<!\w)__(?=\S)([^_]{1,400}?)(?<=\S)__(?!\w)/g, '$1')
    .replace(/(?<![\w*])\*(?=[^\s*])([^*]{1,400}?)(?<=[^\s*])\*(?![\w*])/g, '$1')
    .replace(/(?<!\w)_(?=[^\s_])([^_]{1,400}?)(?<=[^\s_])_(?!\w)/g, '$1')
    .replace(/`([^`]{1,400})`/g, '$1')
}
