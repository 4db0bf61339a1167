/** Reads a DOCX file as Markdown: headings, paragraphs, lists and tables; runs in the child process. */
import { strFromU8, unzipSync } from 'fflate'
import { Parser } from 'htmlparser2'
import type { DocumentText } from '#lib/spec/document'
import { Unreadable } from './document-wire'

const mainPart = 'word/document.xml'

/** Whether an archive with these parts is a DOCX file. */
export function isDocx(names: readonly string[]): boolean {
  return names.includes(mainPart)
}

/** The sizes of all parts were checked before. Throws errors of the library when the file is broken. */
export function readDocx(bytes: Uint8Array): DocumentText {
  const part = unzipSync(bytes, { filter: ({ name }) => name === mainPart })[mainPart]
  if (part === undefined)
    throw new Unreadable('damaged', 'The file has no text part, as a DOCX file must have.')
  const { text, pictures } = readBody(strFromU8(part))
  const words =
    pictures === 0
      ? ''
      : ` with ${pictures === 1 ? 'a picture' : `${pictures} pictures`} that cannot be shown here`
  const summary = text === '' ? `The DOCX document has no text${words}.` : `A DOCX document${words}.`
  return { kind: 'docx', summary, text }
}

interface Cell {
  text: string
}

/** The document is read as a stream of tags, so that its size in memory stays near that of its text. */
function readBody(xml: string): { text: string; pictures: number } {
  const blocks: string[] = []
  const tables: string[][][] = []
  let paragraph = ''
  let style = ''
  let isList = false
  let isText = false
  let deleted = 0
  let pictures = 0
  let cell: Cell | undefined
  const cells: (Cell | undefined)[] = []

  const endParagraph = () => {
    const text = paragraph.replace(/[ \t]+$/gm, '').trim()
    if (text !== '') {
      if (cell !== undefined) cell.text += cell.text === '' ? text : ` ${text}`
      else blocks.push(marked(text, style, isList))
    }
    paragraph = ''
    style = ''
    isList = false
  }
  const endTable = () => {
    const rows = tables.pop() ?? []
    const table = tableText(rows)
    cell = cells.pop()
    if (cell !== undefined) cell.text += ` ${rows.flat().join(' ')}`
    else if (table !== '') blocks.push(table)
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        switch (localName(name)) {
          case 'pStyle':
            style = attributes['w:val'] ?? ''
            break
          case 'numPr':
            isList = true
            break
          case 't':
            isText = true
            break
          case 'tab':
            paragraph += '\t'
            break
          case 'br':
          case 'cr':
            paragraph += '\n'
            break
          case 'drawing':
          case 'pict':
            pictures += 1
            break
          // What was deleted while changes are tracked is no longer part of the text.
          case 'del':
          case 'moveFrom':
            deleted += 1
            break
          case 'tbl':
            cells.push(cell)
            cell = undefined
            tables.push([])
            break
          case 'tr':
            tables.at(-1)?.push([])
            break
          case 'tc':
            cell = { text: '' }
            break
          default:
            // Other elements hold no text of their own.
            break
        }
      },
      ontext(text) {
        if (isText && deleted === 0) paragraph += text
      },
      onclosetag(name) {
        switch (localName(name)) {
          case 't':
            isText = false
            break
          case 'del':
          case 'moveFrom':
            deleted -= 1
            break
          case 'p':
            endParagraph()
            break
          case 'tc':
            tables
              .at(-1)
              ?.at(-1)
              ?.push(cell?.text ?? '')
            cell = undefined
            break
          case 'tbl':
            endTable()
            break
          default:
            // Other elements hold no text of their own.
            break
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
  return { text: joined(blocks), pictures }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

function marked(text: string, style: string, isList: boolean): string {
  const level = /^(?:Heading|heading|berschrift|Titre)\s*([1-6])$/.exec(style)?.[1]
  if (style === 'Title') return `# ${text}`
  if (level !== undefined) return `${'#'.repeat(Number(level))} ${text}`
  return isList ? `- ${text}` : text
}

function tableText(rows: readonly (readonly string[])[]): string {
  const [head, ...others] = rows.filter((row) => row.some((text) => text !== ''))
  if (head === undefined) return ''
  const line = (texts: readonly string[]) =>
    `| ${texts.map((text) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...others.map(line)].join('\n')
}

/** Items of a list follow each other without an empty line. */
function joined(blocks: readonly string[]): string {
  let text = ''
  for (const [at, block] of blocks.entries()) {
    const isItem = block.startsWith('- ') && blocks[at - 1]?.startsWith('- ') === true
    text += at === 0 ? block : `${isItem ? '\n' : '\n\n'}${block}`
  }
  return text
}
