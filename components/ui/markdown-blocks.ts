/**
 * Cuts a growing markdown text into finished blocks and one open block, so that each block is parsed once.
 * Pure.
 */
import { cutAt } from '#lib/spec/line'

export interface MarkdownBlock {
  readonly kind: 'text' | 'code'
  /** The source text; for code, without its fences. */
  readonly text: string
  /** The word after the opening fence; empty for text. */
  readonly language: string
  /** Its offset in the whole text, which identifies it. */
  readonly at: number
}

export interface Cut {
  readonly text: string
  /** Blocks that no later text can change. */
  readonly done: readonly MarkdownBlock[]
  /** Where the text after those blocks begins. */
  readonly from: number
  /** The last, unfinished block; null when nothing follows the finished ones. */
  readonly open: MarkdownBlock | null
  /** `[name]: address` lines, which any block may refer to. */
  readonly definitions: string
}

export const nothingCut: Cut = { text: '', done: [], from: 0, open: null, definitions: '' }

/**
 * Characters. A longer paragraph is cut at a line end: nobody reads it as one, and parsing it again is slow.
 */
const longest = 12_000
/** The most lines in a paragraph: each becomes an element of its own. */
const mostLines = 1_000
/** Characters. A longer line is data rather than prose: parsing it as markdown costs more than it helps. */
const longestLine = 4_000
/** The most nested quotations: each adds a level to the parser's stack. */
const deepestQuote = 40

/** The beginning of a text that is drawn: cut after a block if one ends nearby, otherwise after a line. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = cutAt(text, most)
  const near = text.slice(Math.max(0, end - longestLine), end)
  const blank = near.lastIndexOf('\n\n')
  const lineEnd = blank < 0 ? near.lastIndexOf('\n') + 1 : blank + 2
  return text.slice(0, lineEnd === 0 ? end : end - near.length + lineEnd)
}

/** How many blocks begin within `budget` characters; at least the first one. */
export function drawnBlocks(blocks: readonly MarkdownBlock[], budget: number): number {
  const beyond = blocks.findIndex((each, index) => index > 0 && each.at >= budget)
  return beyond < 0 ? blocks.length : beyond
}

/** Whether a block is shown as plain text, because it could not be parsed in time. */
export function isPlainOnly(text: string): boolean {
  if (text.length <= longestLine && !mayNestDeep(text)) return false
  if (text.length > 2 * longest || mayNestDeep(text)) return true
  for (let at = 0; at < text.length; ) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    if (end - at > longestLine) return true
    at = end + 1
  }
  return false
}

const deepQuote = new RegExp(`^(?:[ \\t]*>){${deepestQuote}}`, 'm')

function mayNestDeep(text: string): boolean {
  return deepQuote.test(text)
}

interface Line {
  readonly at: number
  readonly end: number
  readonly text: string
}

/** Continues from `known` when `text` only grew; otherwise starts again. */
export function cutMarkdown(text: string, known: Cut = nothingCut): Cut {
  if (known.text === text) return known
  const base = text.startsWith(known.text) ? known : nothingCut
  const done = [...base.done]
  let from = base.from
  for (let next = nextBlock(text, from); next !== null; next = nextBlock(text, from)) {
    if (next.block !== null) done.push(next.block)
    from = next.end
  }
  return { text, done, from, open: openBlock(text, from), definitions: definitionsOf(done, base) }
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/

/** The finished block at `from`, or null while the text there may still grow. */
function nextBlock(text: string, from: number): { block: MarkdownBlock | null; end: number } | null {
  let line = lineAt(text, from)
  while (line !== null && line.text.trim() === '') {
    if (line.end > text.length) return null
    from = line.end
    line = lineAt(text, from)
  }
  if (line === null) return null
  const opening = fence.exec(line.text)
  return opening === null ? paragraph(text, line) : code(text, line, opening)
}

function code(text: string, first: Line, [, mark = '', language = '']: RegExpExecArray) {
  if (first.end > text.length) return null
  const closing = new RegExp(`^ {0,3}\\${mark[0]}{${mark.length},}\\s*$`)
  for (let line = lineAt(text, first.end); line !== null; line = lineAt(text, line.end)) {
    if (!closing.test(line.text)) continue
    // This fence may still be the start of a longer line.
    if (line.end > text.length) return null
    const body = text.slice(first.end, Math.max(first.end, line.at - 1))
    return { block: { kind: 'code' as const, text: body, language, at: first.at }, end: line.end }
  }
  return null
}

/**
 * Ends at a blank line that is not followed by an indented line or another item of the same list, or at a
 * fence.
 */
function paragraph(text: string, first: Line) {
  const isList = item.test(first.text)
  let isBlank = false
  let lines = 0
  for (let line: Line | null = first; line !== null; line = lineAt(text, line.end)) {
    lines += 1
    const isOver = line.end <= text.length
    const isEmpty = line.text.trim() === ''
    const goesOn = /^(\s|>)/.test(line.text) || (isList && item.test(line.text))
    // An incomplete line may turn out to continue the block above it.
    if (isBlank && !isEmpty && !goesOn) return isOver ? textBlock(text, first.at, line.at) : null
    if (line !== first && !isEmpty && isOver && fence.test(line.text) && !/^\s/.test(line.text))
      return textBlock(text, first.at, line.at)
    const isLong = line.end - first.at > longest || lines >= mostLines
    if (isOver && isLong && (!isList || isNextItem(text, line.end)))
      return textBlock(text, first.at, line.end)
    isBlank = isEmpty && isOver
    if (!isOver) return null
  }
  return null
}

const item = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/

/** A long list is cut before an item, so that the next block is a list too. */
function isNextItem(text: string, at: number): boolean {
  const next = lineAt(text, at)
  return next !== null && item.test(next.text)
}

function textBlock(text: string, at: number, end: number) {
  return { block: { kind: 'text' as const, text: text.slice(at, end), language: '', at }, end }
}

function openBlock(text: string, from: number): MarkdownBlock | null {
  const rest = text.slice(from)
  if (rest.trim() === '') return null
  const first = lineAt(text, from + (/^\s*\n/.exec(rest)?.[0].length ?? 0))
  const opening = first === null ? null : fence.exec(first.text)
  if (first === null || opening === null || first.end > text.length)
    return { kind: 'text', text: rest, language: '', at: from }
  const body = text.slice(first.end).replace(/\n[ ]{0,3}[`~]{3,}\s*$/, '')
  return { kind: 'code', text: body, language: opening[2] ?? '', at: first.at }
}

/** One line. Its `end` lies beyond the text until its line break has arrived. */
function lineAt(text: string, at: number): Line | null {
  if (at >= text.length) return null
  const found = text.indexOf('\n', at)
  const end = found < 0 ? text.length : found
  return { at, end: end + 1, text: text.slice(at, end).replace(/\r$/, '') }
}

const definition = /^ {0,3}\[[^\]^][^\]]*\]:\s*\S+.*$/gm

function definitionsOf(done: readonly MarkdownBlock[], known: Cut): string {
  const fresh = done.slice(known.done.length).flatMap((each) => {
    return each.kind === 'text' ? (each.text.match(definition) ?? []) : []
  })
  return fresh.length === 0 ? known.definitions : [known.definitions, ...fresh].filter(Boolean).join('\n')
}
