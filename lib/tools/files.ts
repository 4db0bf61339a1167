/** What the file tools share: path arguments, text files, edits in sequence, and the report of a change. */
import { z } from 'zod'
import type { FileAnswer, FilesPort } from '#lib/spec/sandbox'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import { text } from '#lib/spec/tool'

export type FileRefusal = Extract<ToolOutput, { ok: false }>

export const pathArgument = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ title: 'Path', description: 'Relative to the workspace, as in "notes/plan.md".' })

/** A folder; the default is the workspace itself. */
export const folderArgument = z.string().max(4_096).default('').meta({
  title: 'Path',
  description: 'A folder of the workspace; the workspace itself when left out.',
})

export function contentArgument(description: string) {
  return z.string().max(5_242_880).meta({ title: 'Content', description, format: 'multiline' })
}

export function refusalOf(answer: Extract<FileAnswer<unknown>, { ok: false }>): FileRefusal {
  return { ok: false, message: answer.message, code: answer.code }
}

/** Refuses a path that names no file without its ending: it would become a hidden file of its folder. */
export function namelessRefusal(path: string, endings: RegExp, example: string): FileRefusal | undefined {
  if (!/(^|\/)[\s.]*$/.test(path.replace(endings, ''))) return undefined
  return {
    ok: false,
    message: `"${path}" names no file. Give a path such as "${example}".`,
    code: 'bad_path',
  }
}

/** The file as text without any change; a byte order mark stays. */
export async function readText(
  files: FilesPort,
  path: string,
): Promise<{ content: string } | { refusal: FileRefusal }> {
  const read = await files.read(path)
  if (!read.ok) return { refusal: refusalOf(read) }
  const content = decode(read.value)
  if (content !== undefined) return { content }
  const message = `"${path}" is not UTF-8 text, but ${bytesInWords(read.value.byteLength)} of other data.`
  return { refusal: { ok: false, message, code: 'not_text' } }
}

/** Undefined if the bytes are not text. */
export function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const edits = new WeakMap<FilesPort, Promise<unknown>>()

/**
 * Calls of one step may run in parallel, so edits run one at a time: a file does not change
 * between its read and its write.
 */
export function inTurn<T>(files: FilesPort, work: () => Promise<T>): Promise<T> {
  const mine = (edits.get(files) ?? Promise.resolve()).then(work)
  edits.set(
    files,
    mine.catch(() => undefined),
  )
  return mine
}

/**
 * Keeps a copy of the changed file for download and reports it. If that fails, the
 * change in the workspace stays.
 */
export async function keepChangedFile(
  { ports, created }: Pick<ToolContext, 'ports' | 'created'>,
  { path, message }: { path: string; message: string },
): Promise<ToolOutput> {
  const kept = await ports.files.keep(path)
  if (!kept.ok) return text(`${message} It was not kept for download: ${kept.message}`)
  created(kept.value)
  return text(message)
}

/** The lines without their line ends; an empty text after the last line end is not a line. */
export function linesOf(content: string): string[] {
  const lines = content.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The lines with their numbers, starting at `first`; very long lines are cut. */
export function numberLines(lines: readonly string[], first: number): string {
  const width = String(first + lines.length - 1).length
  return lines.map((line, index) => `${String(first + index).padStart(width)}  ${shorten(line)}`).join('\n')
}

const longestLine = 2_000

function shorten(line: string): string {
  return line.length <= longestLine ? line : `${cutAt(line, longestLine)} … (${line.length} characters)`
}

/** The start of the line, never cut inside a surrogate pair. */
export function cutAt(line: string, length: number): string {
  const head = line.slice(0, length)
  return /[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head
}

export function bytesInWords(bytes: number): string {
  return bytes === 1 ? '1 byte' : `${bytes.toLocaleString('en')} bytes`
}

export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
