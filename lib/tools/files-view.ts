/**
 * The tool `files.view`: shows a file of the workspace, or a part of it: text with line numbers, pages of a PDF, a
 * DOCX document, cells of an XLSX sheet, or what a picture is.
 */
import { z } from 'zod'
import type { DocumentText, SeenPicture } from '#lib/spec/document'
import { image, refuse, type ToolContext, type ToolOutput, text, tool } from '#lib/spec/tool'
import { bytesInWords, countOf, decode, linesOf, numberLines, pathArgument, refusalOf } from './files'

const maxLines = 2_000
const line = z.int().min(1)

const input = z.object({
  path: pathArgument,
  start_line: line.default(1).meta({ title: 'Start line', description: 'The first line shown.' }),
  end_line: line.optional().meta({
    title: 'End line',
    description: `The last line shown; at most ${maxLines} lines are shown at once.`,
  }),
  pages: z
    .string()
    .regex(/^\s*\d{1,5}\s*(-\s*\d{0,5}\s*)?$/, 'Write one page or a range of pages, such as "3" or "2-5".')
    .optional()
    .meta({ title: 'Pages', description: 'Pages of a PDF: "3" or "2-5". The first 20 when left out.' }),
  sheet: z.string().max(200).optional().meta({
    title: 'Sheet',
    description: 'A sheet of an XLSX file by its name. The first visible one when left out.',
  }),
  range: z.string().max(50).optional().meta({
    title: 'Range',
    description: 'Cells of the sheet: "B2:D20". At most 200 rows and 50 columns are shown at once.',
  }),
})
type Input = z.output<typeof input>

export const filesView = tool({
  name: 'files.view',
  label: 'View a file',
  group: 'Files',
  keywords: [
    'read',
    'open',
    'show',
    'cat',
    'lines',
    'pdf',
    'excel',
    'xlsx',
    'word',
    'docx',
    'picture',
    'image',
  ],
  description:
    'Shows a file of the workspace: text and CSV with line numbers, the pages of a PDF, a DOCX document, the cells of an XLSX sheet, or a picture. Give start_line and end_line, pages, or sheet and range for a part of a long file.',
  icon: 'file-text',
  risk: 'read',
  input,
  async run(given, context) {
    const { path } = given
    const { files } = context.ports
    const read = await files.read(path)
    if (!read.ok && read.code !== 'too_large') return refusalOf(read)
    const content = read.ok ? decode(read.value) : undefined
    const isText = content !== undefined && !content.startsWith('%PDF-')
    const seen = isText ? undefined : await files.see?.(path, { ...partOf(given) }, context)
    const output = isText ? textLines(content, given) : await shown(seen, given, context)
    return output ?? (read.ok ? refuse(notText(path, read.value.byteLength), 'not_text') : refusalOf(read))
  },
})

function notText(path: string, bytes: number): string {
  return `"${path}" is not UTF-8 text, but ${bytesInWords(bytes)} of other data.`
}

function partOf({ pages, sheet, range, start_line: start, end_line: end }: Input) {
  const [from, to] = (pages ?? '').split('-').map((each) => (each.trim() === '' ? undefined : Number(each)))
  const isOne = pages !== undefined && !pages.includes('-')
  return {
    lines: { from: start, to: Math.min(end ?? Number.POSITIVE_INFINITY, start + maxLines - 1) },
    ...(from !== undefined && { pages: { from: Math.max(from, 1), to: isOne ? Math.max(from, 1) : to } }),
    ...(sheet !== undefined && { sheet }),
    ...(range !== undefined && { range }),
  }
}

type Seen = Awaited<ReturnType<NonNullable<ToolContext['ports']['files']['see']>>> | undefined

/** Undefined where documents are not read, and for what is none. */
async function shown(seen: Seen, given: Input, context: ToolContext): Promise<ToolOutput | undefined> {
  if (seen === undefined) return undefined
  const { path } = given
  if (!seen.ok && seen.code === 'not_text') return undefined
  if (!seen.ok) return refuse(`${path}: ${seen.message}`, seen.code)
  const { value } = seen
  if (value.kind === 'picture') return showPicture(value, given, context)
  if (value.kind === 'text') {
    const part = { lines: value.text.split('\n'), total: value.lines ?? 0, about: ` ${value.summary}` }
    return numbered(part, given)
  }
  return document(value, path)
}

function document({ summary, text: words }: DocumentText, path: string): ToolOutput {
  return text(words === '' ? `${path}: ${summary}` : `${path}: ${summary}\n\n${words}`)
}

/** A model that sees pictures is shown it; every model reads what it is. */
async function showPicture(
  { mediaType, bytes, size }: SeenPicture,
  { path }: Input,
  { ports }: ToolContext,
): Promise<ToolOutput> {
  const pixels = size === undefined ? '' : `, ${size.width} × ${size.height} pixels`
  const what = `${path} is a picture: ${mediaType}${pixels}, ${bytesInWords(bytes)}.`
  const kept = size === undefined ? undefined : await ports.files.keep(path, { isShown: true })
  // Where nothing is kept, the id is the path, and there is nothing to show.
  const isKept = kept?.ok && kept.value.id !== kept.value.path
  return isKept ? { ok: true, blocks: [{ type: 'text', text: what }, image(kept.value)] } : text(what)
}

function textLines(content: string, given: Input): ToolOutput {
  const all = linesOf(content)
  const { start_line: start, end_line: end } = given
  const lines = all.slice(start - 1, Math.min(end ?? all.length, start + maxLines - 1))
  return numbered({ lines, total: all.length, about: '' }, given)
}

interface Part {
  /** The lines to show. */
  readonly lines: readonly string[]
  /** How many lines the file has in all. */
  readonly total: number
  /** Sentences on the text, with a space before them. */
  readonly about: string
}

function numbered(
  { lines, total, about }: Part,
  { path, start_line: start, end_line: end }: Input,
): ToolOutput {
  if (total === 0) return text(`${path} is empty.`)
  const has = `${path} has ${countOf(total, 'line')}`
  if (start > total) return refuse(`${has}: line ${start} is past its end.`, 'bad_range')
  if (end !== undefined && end < start)
    return refuse(`The end line ${end} is before the start line ${start}.`, 'bad_range')
  const last = start + lines.length - 1
  const part = start === 1 && last === total ? '' : `; these are ${start} to ${last}`
  const head = about === '' ? `${has}${part}:` : `${has}${part}.${about}`
  return text(`${head}\n${numberLines(lines, start)}`)
}
