/** Hides known secrets, then what the tool's masks find, in everything that a body returns or shows. */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { Mask } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from '../engine'
import { redactBlocks, redactKeyed, redactText } from './redact'

type Update = { text: string } | { blocks: Block[] }

const unfinished = '(the last line was cut off and is left out, because it may contain text to be hidden)\n'

export interface Hider {
  text(text: string): string
  blocks(blocks: Block[]): Block[]
  json(value: JsonObject): JsonObject
  /**
   * Shows an update of a body at work. With masks, text is held back until the end of its line, or until the
   * end of the body when a mask may match across lines: a mask could not recognise a part of its match.
   */
  show(update: string | Block[]): void
  /**
   * Shows the text still held back; nothing is shown after it. When the body was cut short, the last,
   * unfinished line is left out, since a mask could not recognise half of its match.
   */
  end(isWhole: boolean): void
}

export function hiderOf(
  { deps, toolLimits }: Pick<Engine, 'deps' | 'toolLimits'>,
  tool: BoundTool,
  tell: (update: Update) => void,
): Hider {
  const { masks = [] } = toolLimits(tool)
  const masked = (text: string) => masks.reduce((left, each) => each.mask(left), text)
  const text = (given: string) => masked(redactText(deps, given))
  const blocks = (given: Block[]) => {
    const redacted = redactBlocks(deps, given)
    return masks.length === 0 ? redacted : redacted.map((each) => maskBlock(each, masked))
  }
  const waiting = new Waiting(masks)
  const tellText = (given: string) => {
    if (given !== '') tell({ text: text(given) })
  }
  return {
    text,
    blocks,
    json: (given) => maskKeyed(redactKeyed(deps, given), masked),
    show(update) {
      if (typeof update === 'string') return tellText(waiting.take(update))
      // Blocks replace everything shown so far, and the text held back.
      waiting.rest()
      tell({ blocks: blocks(update) })
    },
    end(isWhole) {
      const last = waiting.rest()
      const told = isWhole ? last : last.slice(0, last.lastIndexOf('\n') + 1)
      tellText(told)
      if (told.length < last.length) tell({ text: unfinished })
    },
  }
}

/** Text that is held back. */
class Waiting {
  readonly #isHeld: boolean
  readonly #isByLine: boolean
  #parts: string[] = []

  constructor(masks: readonly Mask[]) {
    this.#isHeld = masks.length > 0
    this.#isByLine = masks.every((each) => each.isByLine)
  }

  /** The text that may be shown by now. */
  take(text: string): string {
    if (!this.#isHeld) return text
    const end = this.#isByLine ? text.lastIndexOf('\n') + 1 : 0
    if (end === 0) {
      this.#parts.push(text)
      return ''
    }
    const ready = this.rest() + text.slice(0, end)
    if (end < text.length) this.#parts.push(text.slice(end))
    return ready
  }

  rest(): string {
    const text = this.#parts.join('')
    this.#parts = []
    return text
  }
}

type Masked = (text: string) => string

function maskBlock(block: Block, masked: Masked): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: masked(block.text) }
    case 'image':
      return block
    case 'json':
      return { type: 'json', value: maskJson(block.value, masked) }
    case 'table':
      return {
        type: 'table',
        columns: block.columns.map((each) => masked(each)),
        rows: block.rows.map((row) => row.map((cell) => maskJson(cell, masked))),
      }
  }
  return block satisfies never
}

/** Keys are kept, since two masked keys could become one. A number is masked as it is written. */
function maskJson(value: JsonValue, masked: Masked): JsonValue {
  if (typeof value === 'string') return masked(value)
  if (typeof value === 'number') {
    const written = String(value)
    const shown = masked(written)
    return shown === written ? value : shown
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => maskJson(each, masked))
  return maskKeyed(value, masked)
}

function maskKeyed(value: JsonObject, masked: Masked): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, maskJson(each, masked)]))
}
