/** Cuts a markdown text that grows into blocks that are over and the one at work, so that each is parsed once. Pure. */
import { cutAt } from '#lib/spec/line'

export interface MarkdownBlock {
  readonly kind: 'text' | 'code'
  /** As it stands in the text; of code without its fences. */
  readonly text: string
  /** The word behind the opening fence; empty for text. */
  readonly language: string
  /** Where it begins in the whole: its identity. */
  readonly at: number
}

export interface Cut {
  readonly text: string
  /** Blocks that no further word can change. */
  readonly done: readonly MarkdownBlock[]
  /** What is behind them, from here on. */
  readonly from: number
  /** The last one, not over yet; null when nothing follows. */
  readonly open: MarkdownBlock | null
  /** `[name]: address` lines, which blocks elsewhere may speak of. */
  readonly definitions: string
}

export const nothingCut: Cut = { text: '', done: [], from: 0, open: null, definitions: '' }

/** A paragraph longer than this is cut at a line's end: nobody reads it as one, and parsing it anew costs. */
const longest = 12_000
/** Lines of a paragraph at most: each is an element of its own once it is drawn. */
const mostLines = 1_000
/** A line longer than this is data, not words: reading it as markdown costs more than it helps. */
const longestLine = 4_000
/** Quotations within quotations; each is a level of the parser's own stack. */
const deepestQuote = 40

/** As much of a text as is drawn, cut behind a block where there is one near, else behind a line. */
export function headOf(text: string, most: number): string {
  if (text.length <= most) return text
  const end = cutAt(text, most)
  const near = text.slice(Math.max(0, end - longestLine), end)
  const blank = near.lastIndexOf('\n\n')
  const lineEnd = blank < 0 ? near.lastIndexOf('\n') + 1 : blank + 2
  return text.slice(0, lineEnd === 0 ? end : end - near.length + lineEnd)
}

/** How many blocks begin within so many characters; the first one in any case. */
export function drawnBlocks(blocks: readonly MarkdownBlock[], budget: number): number {
  const beyond = blocks.findIndex((each, index) => index > 0 && each.at >= budget)
  return beyond < 0 ? blocks.length : beyond
}

/** Whether a block is shown as it stands, since no parser could read it in time. */
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

/** Goes on where `known` stopped when `text` only grew; else begins anew. */
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

/** The block that is over at `from`, or null while what stands there may still grow. */
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
    // The fence may still be part of a longer line.
    if (line.end > text.length) return null
    const body = text.slice(first.end, Math.max(first.end, line.at - 1))
    return { block: { kind: 'code' as const, text: body, language, at: first.at }, end: line.end }
  }
  return null
}

/** To the blank line behind it that nothing indented and no further item of its list follows, or to a fence. */
function paragraph(text: string, first: Line) {
  const isList = item.test(first.text)
  let isBlank = false
  let lines = 0
  for (let line: Line | null = first; line !== null; line = lineAt(text, line.end)) {
    lines += 1
    const isOver = line.end <= text.length
    const isEmpty = line.text.trim() === ''
    const goesOn = /^(\s|>)/.test(line.text) || (isList && item.test(line.text))
    // A line that is not whole yet may turn out to go on with what stands before it.
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

/** A long list is cut before an item, so that the next block is a list as well. */
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

/** One line; its `end` lies beyond the text while its line break has not come. */
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
