/**
 * The prompt caches of the services: counts by itself, from the bytes of each request, how much of its beginning an
 * earlier request has left in the cache. A token is four characters here.
 */
import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { CacheCount, Wire } from './behaviour'
import { isObject } from './refusal'

export interface PromptCache {
  count(wire: Wire, body: JsonObject): CacheCount
}

/** The shortest beginning that is cached, and the unit in which OpenAI counts, in tokens. */
export const cacheMinimum = 1_024
const unit = 128
/** How many blocks before a mark Anthropic looks for what it has cached. */
const lookback = 20

export function createPromptCache(): PromptCache {
  const known = new Set<string>()
  return {
    count: (wire, body) =>
      wire === 'anthropic' ? countMarked(known, anthropicPieces(body)) : countAutomatic(known, wire, body),
  }
}

/** One block of a request, in the order in which a service caches it. */
export interface Piece {
  /** The block without its mark, with its place. */
  readonly text: string
  readonly isMarked: boolean
}

/** Tools, then system text, then messages block by block: the hierarchy of the service. */
export function anthropicPieces(body: JsonObject): Piece[] {
  const { tools, system, messages, model, tool_choice: choice, thinking } = body
  const texts = typeof system === 'string' ? [{ type: 'text', text: system }] : objects(system)
  return [
    { text: JSON.stringify(model ?? null), isMarked: false },
    ...objects(tools).map((each) => piece('tools', each)),
    ...texts.map((each) => piece('system', each)),
    // Other choices or other thinking make another dialogue of the same messages.
    { text: JSON.stringify([choice ?? null, thinking ?? null]), isMarked: false },
    ...objects(messages).flatMap(({ role, content }) =>
      (typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content)).map((each) =>
        piece(String(role), each),
      ),
    ),
  ]
}

function piece(place: string, { cache_control: mark, ...block }: JsonObject): Piece {
  return { text: `${place} ${JSON.stringify(block)}`, isMarked: mark !== undefined }
}

/** Only what was marked is in the cache, and only marks, and a few blocks before each, find it. */
function countMarked(known: Set<string>, pieces: readonly Piece[]): CacheCount {
  const sums: { hash: string; tokens: number; isMarked: boolean }[] = []
  let [hash, tokens] = ['', 0]
  for (const { text, isMarked } of pieces) {
    hash = digest(hash + text)
    tokens += text.length / 4
    sums.push({ hash, tokens: Math.floor(tokens), isMarked })
  }
  let cached = 0
  let written = 0
  const found = (at: number) =>
    sums.slice(Math.max(0, at - lookback), at + 1).findLast((each) => known.has(each.hash))
  sums.forEach(({ isMarked }, at) => {
    if (isMarked) cached = Math.max(cached, found(at)?.tokens ?? 0)
  })
  for (const each of sums) {
    if (!each.isMarked || each.tokens < cacheMinimum) continue
    known.add(each.hash)
    written = Math.max(0, each.tokens - cached)
  }
  return { tokens: Math.floor(tokens), cached, written }
}

/** A text as one part that ends with a breakpoint reads like the text alone. */
const marked =
  /\[\{"type":"(?:input_)?text","text":("(?:[^"\\]|\\.)*"),"prompt_cache_breakpoint":\{"mode":"explicit"\}\}\]/g

/** Every long request is cached, in whole units from its first byte, for others with the same key. */
function countAutomatic(known: Set<string>, wire: Wire, body: JsonObject): CacheCount {
  const { tools, instructions, messages, input, model, prompt_cache_key: key } = body
  const text = [tools, instructions, ...objects(messages), ...objects(input)]
    .map((each) => JSON.stringify(each ?? null).replace(marked, '$1'))
    .join('\n')
  const tokens = Math.floor(text.length / 4)
  if (tokens < cacheMinimum) return { tokens, cached: 0, written: 0 }
  let hash = digest(JSON.stringify([wire, model ?? null, key ?? null]))
  let cached = 0
  let isKnown = true
  for (let at = 0; at + unit <= tokens; at += unit) {
    hash = digest(hash + text.slice(at * 4, (at + unit) * 4))
    isKnown &&= known.has(hash)
    if (isKnown) cached = at + unit
    known.add(hash)
  }
  return { tokens, cached: cached < cacheMinimum ? 0 : cached, written: 0 }
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
