/**
 * Describes how the misbehaving model server treats one request: what it says, in which form, and what goes
 * wrong. It is plain data.
 */
import type { JsonObject } from '#lib/spec/json'
import type { FinishReason, Usage } from '#lib/spec/model'

/** Chat Completions, Messages, Responses. */
export type Wire = 'openai' | 'anthropic' | 'responses'

export interface SaidCall {
  /** The name on the wire. */
  readonly name: string
  /** A string is sent unchanged, valid or not. */
  readonly args?: JsonObject | string
  /** The exact deltas of the arguments, for tests that depend on where they are cut. */
  readonly pieces?: readonly string[]
  /** The server makes up an id by default. */
  readonly id?: string
}

export interface Said {
  readonly reasoning?: string
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly SaidCall[]
  /** Estimated by default. */
  readonly usage?: Usage
  /** Characters of reasoning and text in one delta; by default about as few as real models send. */
  readonly deltaChars?: number
  /** Follows from the calls by default. */
  readonly finish?: Exclude<FinishReason, 'cut'>
}

/**
 * How an answer deviates from the service's documentation. A quirk that does not apply to a
 * wire has no effect there.
 */
export const quirks = [
  'ids missing',
  'ids empty',
  'ids null',
  'ids repeated',
  'index missing',
  'index from one',
  'index all zero',
  'interleaved',
  'id first, name later',
  'name repeated',
  'whole args',
  'args as object',
  'args in pieces',
  'call replayed',
  'legacy function_call',
  'reasoning_content',
  'reasoning',
  'usage absent',
  'usage beside choices',
  'finish stop with calls',
  'finish repeated',
  'null content',
  'null delta',
  'empty choices',
  'no done',
  'role in every delta',
  'unknown events',
  'unknown blocks',
  'unknown fields',
  'pings between',
  'input at start',
  'redacted thinking',
  'no event names',
] as const
export type Quirk = (typeof quirks)[number]

/** How events are written as bytes. */
export const forms = [
  'plain',
  'crlf',
  'cr',
  'no space',
  'multi-line data',
  'bom',
  'comments',
  'other fields',
] as const
export type Form = (typeof forms)[number]

/** How the bytes are cut into pieces. */
export type Chunking = 'whole' | 'events' | 'bytes' | { readonly random: number } | { readonly size: number }

export type Fault =
  /** An HTTP failure with the service's usual text, or with the given body. */
  | {
      readonly status: number
      readonly about?: 'quota' | 'context'
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly contentType?: string
    }
  /** Before the headers, the connection is reset or nothing is ever sent. */
  | { readonly before: 'reset' | 'silence' }
  /** The connection is reset only if it has served a request before, like a stale one. */
  | { readonly before: 'stale' }
  /** After this many deltas nothing more is sent; the connection stays open. */
  | { readonly stallAfter: number }
  /**
   * After this many deltas only pings are sent (comments, if the wire has no pings), one
   * every `everyMs` milliseconds.
   */
  | { readonly pingsAfter: number; readonly everyMs: number }
  /** After this many deltas the service reports an error inside the stream and ends it. */
  | { readonly errorAfter: number; readonly type: string; readonly message?: string }
  /** The connection breaks after this many bytes of the body. */
  | { readonly cutAt: number }
  /** The stream ends normally after this many deltas, without its last events. */
  | { readonly endAfter: number }
  /**
   * The stream ends normally, just before the last events of the wire (the finish reason
   * and everything after it).
   */
  | { readonly endBefore: 'terminal' }
  | { readonly instead: 'html' | 'json' | 'nothing' | 'other json' }
  /** After this many deltas a line is sent that is not JSON. */
  | { readonly badLineAfter: number }
  /** One event of this many bytes among the deltas. */
  | { readonly hugeEvent: number }
  /** Deltas until the client stops reading. */
  | { readonly endless: 'text' | 'args' }

export interface Behaviour {
  readonly say?: Said
  readonly quirks?: readonly Quirk[]
  readonly form?: Form
  readonly chunks?: Chunking
  readonly fault?: Fault
  /** Before the headers. */
  readonly delayMs?: number
  /** Between deltas. */
  readonly paceMs?: number
}

/** What the server's prompt cache held of a request. */
export interface CacheCount {
  /** All tokens that the cache looks at: tools, system text and messages. */
  readonly tokens: number
  readonly cached: number
  readonly written: number
}

/** What the tokens of a request are counted from. */
export interface Weighed {
  /** The original body. */
  readonly asked: string
  readonly cache: Pick<CacheCount, 'cached' | 'written'>
  /** The tokens of the request, where the server counts them; otherwise they are estimated from the body. */
  readonly tokens?: number
}

/** One event of a stream, before it is written as bytes. */
export interface Frame {
  readonly event?: string
  readonly data: string
  /** It carries a part of the answer. */
  readonly isDelta?: boolean
  /** Without this frame and those after it, the answer is incomplete. */
  readonly isTerminal?: boolean
}

export function fullUsage(
  { usage, text = '', reasoning = '', calls = [] }: Said,
  { asked, cache, tokens: counted }: Weighed,
): Usage {
  if (usage !== undefined) return usage
  const tokens = (count: number) => Math.ceil(count / 4)
  const called = calls.reduce((sum, each) => sum + each.name.length + argsText(each).length, 0)
  const thought = tokens(reasoning.length)
  return {
    input: counted ?? tokens(asked.length),
    ...(cache.cached > 0 ? { cached: cache.cached } : {}),
    ...(cache.written > 0 ? { cacheWritten: cache.written } : {}),
    output: thought + tokens(text.length + called),
    ...(thought > 0 ? { reasoning: thought } : {}),
  }
}

export function argsText({ args = {}, pieces: given }: SaidCall): string {
  if (given !== undefined) return given.join('')
  return typeof args === 'string' ? args : JSON.stringify(args)
}

/** The deltas of a call's arguments. */
export function argsPieces(call: SaidCall, quirks: ReadonlySet<Quirk>): readonly string[] {
  if (call.pieces !== undefined) return call.pieces
  return quirks.has('args in pieces') ? Array.from(argsText(call)) : pieces(argsText(call), 9)
}

/**
 * Cuts a text into pieces as models send them, by code points, so that no character is
 * split between two deltas.
 */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
}
