/**
 * Shows a file of the workspace, or a part of it: text with line numbers, pages of a PDF, a DOCX document, cells of
 * an XLSX sheet, or what a picture is. The body of `files.view` and of `workspace.view`.
 */
import type { DocumentText, SeenPicture } from '#lib/spec/document'
import { metadataOf } from '#lib/spec/script'
import { image, refuse, type ToolContext, type ToolOutput, text } from '#lib/spec/tool'
import { bytesInWords, countOf, decode, linesOf, numberLines, refusalOf } from './files'

/** The most lines of a text that are shown at once. */
export const maxLines = 2_000

interface Input {
  readonly path: string
  readonly start_line: number
  readonly end_line?: number | undefined
  /** `3`, `2-5` or `7-`. */
  readonly pages?: string | undefined
  readonly sheet?: string | undefined
  readonly range?: string | undefined
}

export async function viewFile(given: Input, context: ToolContext): Promise<ToolOutput> {
  const { path } = given
  const { files } = context.ports
  const read = await files.read(path)
  if (!read.ok && read.code !== 'too_large') return refusalOf(read)
  const content = read.ok ? decode(read.value) : undefined
  const isText = content !== undefined && !content.startsWith('%PDF-')
  const seen = isText ? undefined : await files.see?.(path, { ...partOf(given) }, context)
  const output = isText ? textLines(content, given) : await shown(seen, given, context)
  return output ?? (read.ok ? refuse(notText(path, read.value.byteLength), 'not_text') : refusalOf(read))
}

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
  const output = value.kind === 'text' ? otherText(value, given) : document(value, path)
  const wall = 'wall' in seen ? seen.wall : undefined
  return wall === undefined ? output : { ...output, metadata: metadataOf({ wall }) }
}

/** Text that is not UTF-8, or too long to be read whole. */
function otherText({ text: words, lines, summary }: DocumentText, given: Input): ToolOutput {
  return numbered({ lines: words.split('\n'), total: lines ?? 0, about: ` ${summary}` }, given)
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
