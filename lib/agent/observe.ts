/** Observations: what a body gave back, made well-formed, and put into the words the model reads. */
import type { JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { ToolOutput } from '#lib/spec/tool'

export interface Observation {
  readonly blocks: Block[]
  readonly text: string
}

/** An observation of blocks, the text cut to `maxChars` code points. */
export function observe(blocks: Block[], maxChars: number): Observation {
  const text = blocks.map(textOfBlock).join('\n')
  return { blocks, text: cut(text === '' ? '(no output)' : text, maxChars) }
}

/** An observation of what went wrong. */
export function observeError(message: string, maxChars: number): Observation {
  return { blocks: [{ type: 'text', text: message }], text: cut(`Error: ${message}`, maxChars) }
}

/** Cuts at a code point and says by how much. */
export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  let points = 0
  let end = text.length
  for (let index = 0; index < text.length; points++) {
    if (points === maxChars) end = index
    index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  }
  if (points <= maxChars) return text
  return `${text.slice(0, end)}\n... (${points - maxChars} more characters truncated)`
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

/** A Markdown table without padding: the shortest form that models and people read alike. */
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

export type CleanOutput =
  | { readonly ok: true; readonly blocks: Block[] }
  | { readonly ok: false; readonly message: string; readonly code: string | null }

/** Whatever a body returned, as an output that can be stored: a part may come from anywhere and break its contract. */
export function cleanOutput(output: ToolOutput): CleanOutput {
  const given: unknown = output
  if (!isRecord(given)) return malformed('nothing that can be read')
  if (given.ok === false) {
    const message =
      typeof given.message === 'string' && given.message !== ''
        ? given.message
        : 'the tool refused and gave no reason'
    return { ok: false, message, code: typeof given.code === 'string' ? given.code : null }
  }
  const blocks = given.ok === true ? cleanBlocks(given.blocks) : undefined
  if (blocks === undefined) return malformed('a result that cannot be written as JSON')
  return { ok: true, blocks }
}

function malformed(what: string): CleanOutput {
  return { ok: false, message: `The tool gave back ${what}.`, code: 'bad_result' }
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

function cleanBlock(value: unknown): Block | undefined {
  if (!isRecord(value)) return undefined
  if (value.type === 'text')
    return typeof value.text === 'string' ? { type: 'text', text: value.text } : undefined
  if (value.type === 'image')
    return typeof value.artifact === 'string' ? { type: 'image', artifact: value.artifact } : undefined
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

/** One trip through JSON text: circles, big integers and bottomless depth have no plain form. */
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

/** What a thrown value says, without its stack. */
export function messageOf(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : typeof thrown === 'string' ? thrown : ''
  return said === '' ? 'The tool failed without saying why.' : `The tool failed: ${said.slice(0, 1_000)}`
}
