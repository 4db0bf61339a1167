/** Makes observations: it validates what a body returned and turns it into the text that the model reads. */
import { z } from 'zod'
import { type InputQuestion, inputQuestion } from '#lib/spec/input'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import { picture } from '#lib/spec/picture'
import { type RecallReport, recallReport } from '#lib/spec/recall'
import type { CallState } from '#lib/spec/state'
import type { ToolOutput, WithMetadata, WithNote } from '#lib/spec/tool'

export interface Observation {
  readonly blocks: Block[]
  readonly text: string
}

/** An observation before it is cut. */
export interface Whole extends Observation {
  /** The end of the text, when it matters more than the text before it. A cut does not remove it. */
  readonly last?: string
}

/** An observation of blocks. */
export function observe(blocks: Block[]): Whole {
  const text = blocks.map(textOfBlock).join('\n')
  return { blocks, text: text === '' ? '(no output)' : text }
}

/** An observation of a failure, after what the body had shown until then. */
export function observeError(message: string, shown: readonly Block[] = []): Whole {
  const last = `Error: ${message}`
  const blocks: Block[] = [...shown, { type: 'text', text: message }]
  if (shown.length === 0) return { blocks, text: last }
  return { blocks, text: `${shown.map(textOfBlock).join('\n')}\n${last}`, last }
}

/** The most characters of blocks as JSON in an event, unless there is no shorter form. */
export const maxBlocksChars = 256 * 1024

/** The text cut to this many code points, keeping its beginning. */
export function shortText({ text, last }: Pick<Whole, 'text' | 'last'>, maxChars: number): string {
  if (last === undefined || last.length >= maxChars) return cut(last ?? text, maxChars)
  return `${cut(text.slice(0, -last.length - 1), maxChars - last.length)}\n${last}`
}

/** The short form of an observation that is not kept anywhere else. */
export function shortenObservation(whole: Whole, maxChars: number): Observation {
  const text = shortText(whole, maxChars)
  const isHeavy = JSON.stringify(whole.blocks).length > maxBlocksChars
  return { blocks: isHeavy ? [{ type: 'text', text }] : whole.blocks, text }
}

/** What a call has shown of its work so far. */
export function shownBlocks({ progress: { text, blocks } }: Pick<CallState, 'progress'>): Block[] {
  return text === '' ? [...(blocks ?? [])] : [...(blocks ?? []), { type: 'text', text }]
}

/** Cuts at a code point and notes how much was cut. */
export function cut(text: string, maxChars: number): string {
  const extra = text.length <= maxChars ? 0 : pointsIn(text) - maxChars
  if (extra <= 0) return text
  return `${text.slice(0, startOf(text, maxChars))}\n... (${extra} more characters truncated)`
}

const cutMark = /\n\.\.\. \(\d+ more characters truncated\)$/

/** Whether `cut` has shortened the text. */
export function isCutText(text: string): boolean {
  return cutMark.test(text)
}

/**
 * The beginning and end of a longer text, this many code points in all, with a note on the part left out.
 * @param kept where to find it: `the whole is artifact art_7`
 */
export function headAndTail(text: string, maxChars: number, kept: string): string {
  const extra = text.length <= maxChars ? 0 : pointsIn(text) - maxChars
  if (extra <= 0) return text
  const tail = Math.floor(maxChars / 4)
  const head = text.slice(0, startOf(text, maxChars - tail))
  return `${head}\n[… ${extra} characters left out; ${kept} …]\n${text.slice(endOf(text, tail))}`
}

function pointsIn(text: string): number {
  let points = 0
  for (let index = 0; index < text.length; points++) index += widthAt(text, index)
  return points
}

/** The index of the code point after the first `count`. */
function startOf(text: string, count: number): number {
  let index = 0
  for (let points = 0; points < count && index < text.length; points++) index += widthAt(text, index)
  return index
}

/** The index at which the last `count` code points begin. */
function endOf(text: string, count: number): number {
  let index = text.length
  for (let points = 0; points < count && index > 0; points++)
    index -= index > 1 && widthAt(text, index - 2) === 2 ? 2 : 1
  return index
}

function widthAt(text: string, index: number): 1 | 2 {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
}

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'json':
      return JSON.stringify(block.value)
    case 'image':
      return `[image ${block.artifact}]`
    case 'table':
      return table(block.columns, block.rows)
  }
  return block satisfies never
}

/** A Markdown table without padding: the shortest form that both models and people can read. */
function table(columns: readonly string[], rows: readonly (readonly JsonValue[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(cellOf)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(row.map(cellOf))),
  ].join('\n')
}

function cellOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replaceAll('|', '\\|').replace(/\r\n|\r|\n/g, ' ')
}

export type CleanOutput = WithMetadata &
  WithNote &
  (
    | {
        readonly ok: true
        readonly blocks: Block[]
        readonly groups?: readonly string[]
        readonly found?: readonly string[]
        readonly recall?: readonly RecallReport[]
      }
    | {
        readonly ok: false
        readonly message: string
        readonly code: string | null
        readonly retryable?: boolean
        readonly retryAfterMs?: number
      }
    | { readonly ok: 'asks'; readonly questions: readonly InputQuestion[]; readonly state?: JsonValue }
    | { readonly ok: 'rests' }
  )

/** The most questions of one output. */
const mostQuestions = 20

/** The most characters of metadata as JSON in an event. */
const mostMetadata = 16 * 1024

/** Turns whatever a body returned into an output that can be stored. Any tool may break its contract. */
export function cleanOutput(output: ToolOutput): CleanOutput {
  const given: unknown = output
  if (!isRecord(given)) return malformedOutput('nothing that can be read')
  if (given.ok === false) {
    const message =
      typeof given.message === 'string' && given.message !== ''
        ? given.message
        : 'the tool failed without giving a reason'
    const code = typeof given.code === 'string' ? given.code : null
    return {
      ok: false,
      message,
      code,
      ...(given.retryable === true && { retryable: true }),
      ...(typeof given.retryAfterMs === 'number' &&
        given.retryAfterMs > 0 && { retryAfterMs: given.retryAfterMs }),
      ...cleanMetadata(given.metadata),
      ...cleanNote(given.note),
    }
  }
  if (given.ok === 'asks') return cleanQuestions(given)
  if (given.ok === 'rests') return { ok: 'rests' }
  const blocks = given.ok === true ? cleanBlocks(given.blocks) : undefined
  if (blocks === undefined) return malformedOutput('a result that cannot be written as JSON')
  const more = { ...cleanMetadata(given.metadata), ...cleanNote(given.note) }
  const recall = given.recall === undefined ? undefined : recallReports.safeParse(given.recall).data
  if (given.recall !== undefined && recall === undefined)
    return malformedOutput('a search that cannot be read')
  return { ok: true, blocks, ...cleanNames(given), ...(recall && { recall }), ...more }
}

function cleanQuestions({ questions, state }: Record<string, unknown>): CleanOutput {
  const read = z.array(inputQuestion).min(1).max(mostQuestions).safeParse(questions)
  const plain = state === undefined ? undefined : plainJson(state)
  const ids = new Set(read.data?.map(({ inputId }) => inputId))
  if (!read.success || ids.size < read.data.length || (state !== undefined && plain === undefined))
    return malformedOutput('questions that cannot be read')
  return { ok: 'asks', questions: read.data, ...(plain !== undefined && { state: plain }) }
}

const recallReports = z.array(recallReport).max(10)

function cleanNote(value: unknown): WithNote {
  return typeof value === 'string' && value.trim() !== '' ? { note: value } : {}
}

function cleanNames({ groups, found }: Readonly<Record<string, unknown>>): {
  groups?: string[]
  found?: string[]
} {
  const names = (value: unknown) =>
    Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
  const active = names(groups)
  const tools = names(found)
  return { ...(active && { groups: active }), ...(tools && { found: tools }) }
}

/** Drops metadata that is empty or not an object, and replaces metadata that is too long by a note. */
function cleanMetadata(value: unknown): { metadata?: JsonObject } {
  const plain = isRecord(value) ? plainJson(value) : undefined
  if (!isRecord(plain) || Object.keys(plain).length === 0) return {}
  const { length } = JSON.stringify(plain)
  if (length > mostMetadata) return { metadata: { left_out: `${length} characters of metadata` } }
  return { metadata: plain }
}

function malformedOutput(what: string): CleanOutput {
  return { ok: false, message: `The tool returned ${what}.`, code: 'bad_result' }
}

/** Blocks as plain JSON of the known shapes; undefined when one of them is not. */
export function cleanBlocks(value: unknown): Block[] | undefined {
  if (!Array.isArray(value)) return undefined
  const blocks: Block[] = []
  for (const each of value) {
    const block = cleanBlock(each)
    if (block === undefined) return undefined
    blocks.push(block)
  }
  return blocks
}

function cleanImage(artifact: string, given: unknown): Block {
  const read = picture.safeParse(given)
  return { type: 'image', artifact, ...(read.success && { picture: read.data }) }
}

function cleanBlock(value: unknown): Block | undefined {
  if (!isRecord(value)) return undefined
  if (value.type === 'text')
    return typeof value.text === 'string' ? { type: 'text', text: value.text } : undefined
  if (value.type === 'image')
    return typeof value.artifact === 'string' ? cleanImage(value.artifact, value.picture) : undefined
  if (value.type === 'json') {
    const plain = plainJson(value.value)
    return plain === undefined ? undefined : { type: 'json', value: plain }
  }
  if (value.type !== 'table') return undefined
  const columns = plainJson(value.columns)
  const rows = plainJson(value.rows)
  if (!isStrings(columns) || !isRows(rows)) return undefined
  return { type: 'table', columns, rows }
}

/** Converts a value to JSON text and back: cycles, big integers and unlimited depth have no plain form. */
function plainJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value)
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isStrings(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isRows(value: JsonValue | undefined): value is JsonValue[][] {
  return Array.isArray(value) && value.every((each) => Array.isArray(each))
}

/** The message of a thrown value, without its stack. It is cut after `redact`, which needs whole secrets. */
export function messageOf(thrown: unknown, tool: string, redact = (text: string) => text): string {
  const said = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : ''
  return `Tool ${tool} Error. ${said === '' ? 'It failed without giving a reason.' : redact(said).slice(0, 1_000)}`
}
