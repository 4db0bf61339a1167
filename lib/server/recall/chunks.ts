/** Cuts the text of a document into passages that can be found and cited: by headings, pages and paragraphs. Pure. */
import { cutAt } from '#lib/spec/line'

export interface PassageText {
  /** Headings from the outermost to the innermost, or a page. */
  readonly place: string
  readonly text: string
}

/** A passage grows by whole paragraphs up to this many characters; a longer paragraph is cut. */
const usualChars = 1_200
const mostChars = 1_600
const mostHeading = 120

/** Markdown, or plain text, where a line of `#` begins a heading unless it is inside a block of code. */
export function chunksOfText(
  text: string,
  { hasHeadings }: { readonly hasHeadings: boolean },
): PassageText[] {
  const chunks: PassageText[] = []
  const path: string[] = []
  let paragraphs: string[] = []
  let paragraph: string[] = []
  let isCode = false
  const endParagraph = () => {
    const joined = paragraph.join('\n').trim()
    if (joined !== '') paragraphs.push(joined)
    paragraph = []
  }
  const endSection = () => {
    endParagraph()
    const place = path.filter((each) => each !== undefined && each !== '').join(' › ')
    for (const joined of joinParagraphs(paragraphs)) chunks.push({ place, text: joined })
    paragraphs = []
  }
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (hasHeadings && /^ {0,3}(```|~~~)/.test(line)) isCode = !isCode
    const heading = hasHeadings && !isCode ? headingOf(line) : undefined
    if (heading !== undefined) {
      endSection()
      path.length = heading.level - 1
      path.push(plainHeading(heading.words))
      // A skipped level leaves a gap.
      for (let at = 0; at < path.length; at++) path[at] ??= ''
    } else if (line.trim() === '' && !isCode) endParagraph()
    else paragraph.push(line)
  }
  endSection()
  return chunks
}

/** A longer line is text, whatever it begins with: a pattern would take very long over it. */
const longestHeading = 1_000

function headingOf(line: string): { readonly level: number; readonly words: string } | undefined {
  if (line.length > longestHeading) return undefined
  const [, marks = '', rest = ''] = /^ {0,3}(#{1,6})[ \t](.*)$/.exec(line) ?? []
  const words = withoutClosing(rest.trim())
  return words === '' ? undefined : { level: marks.length, words }
}

/** `Title ##` ends in marks that are no part of it. */
function withoutClosing(words: string): string {
  let end = words.length
  while (words[end - 1] === '#') end -= 1
  return words.slice(0, end).trim()
}

const pageMark = /^--- Page (\d+) ---$/

/** The text of a PDF, in which a line marks the beginning of each page. */
export function chunksOfPages(text: string): PassageText[] {
  const chunks: PassageText[] = []
  let page = ''
  let lines: string[] = []
  const endPage = () => {
    for (const each of chunksOfText(lines.join('\n'), { hasHeadings: false }))
      chunks.push({ place: page, text: each.text })
    lines = []
  }
  for (const line of text.split('\n')) {
    const mark = pageMark.exec(line)
    if (mark === null) lines.push(line)
    else {
      endPage()
      page = `page ${mark[1]}`
    }
  }
  endPage()
  return chunks
}

function plainHeading(text: string): string {
  const plain = text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`]/g, '')
    .trim()
  return plain.length <= mostHeading ? plain : `${plain.slice(0, cutAt(plain, mostHeading - 1))}…`
}

function joinParagraphs(paragraphs: readonly string[]): string[] {
  const joined: string[] = []
  let now = ''
  for (const piece of paragraphs.flatMap(cutParagraph)) {
    if (now !== '' && now.length + piece.length > usualChars) {
      joined.push(now)
      now = ''
    }
    now = now === '' ? piece : `${now}\n\n${piece}`
  }
  return now === '' ? joined : [...joined, now]
}

/** Cuts a long paragraph at the ends of lines, sentences or words. */
function cutParagraph(paragraph: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (paragraph.length - from > mostChars) {
    const window = paragraph.slice(from, from + usualChars)
    const at = from + cutPlace(window)
    pieces.push(paragraph.slice(from, at).trim())
    from = at
  }
  pieces.push(paragraph.slice(from).trim())
  return pieces.filter((each) => each !== '')
}

function cutPlace(window: string): number {
  const least = window.length / 2
  const ends = [window.lastIndexOf('\n') + 1, lastSentence(window), window.lastIndexOf(' ') + 1]
  const end = ends.find((each) => each > least)
  if (end !== undefined) return end
  // A pair of surrogates stays whole.
  const code = window.charCodeAt(window.length - 1)
  return code >= 0xd800 && code <= 0xdbff ? window.length - 1 : window.length
}

function lastSentence(window: string): number {
  let last = 0
  for (const { index, 0: end } of window.matchAll(/[.!?](?=\s)|[。！？]/g)) last = index + end.length
  return last
}
