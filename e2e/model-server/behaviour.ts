/** What the misbehaving model server is told to do with one request: what to say, in which form, and what goes wrong. All of it is data. */
import type { JsonObject } from '#lib/spec/json'
import type { FinishReason, Usage } from '#lib/spec/model'

/** Chat Completions, Messages, Responses. */
export type Wire = 'openai' | 'anthropic' | 'responses'

export interface SaidCall {
  /** On the wire. */
  readonly name: string
  /** A string goes out as it is, valid or not. */
  readonly args?: JsonObject | string
  /** The very deltas the arguments come in, when it matters where they are cut. */
  readonly pieces?: readonly string[]
  /** Made up by the server unless given. */
  readonly id?: string
}

export interface Said {
  readonly reasoning?: string
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly SaidCall[]
  /** Estimated unless given. */
  readonly usage?: Usage
  /** How many characters of reasoning and text come in one delta: as few as models send unless given. */
  readonly deltaChars?: number
  /** By the calls unless given. */
  readonly finish?: Exclude<FinishReason, 'cut'>
}

/** How an answer strays from what the service's own documents say. Those that a wire does not know change nothing. */
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

/** How events are put into bytes. */
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

/** In which pieces bytes reach the wire. */
export type Chunking = 'whole' | 'events' | 'bytes' | { readonly random: number } | { readonly size: number }

export type Fault =
  /** An HTTP failure in the service's own words, or with a body of its own. */
  | {
      readonly status: number
      readonly about?: 'quota' | 'context'
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
      readonly contentType?: string
    }
  /** The connection ends, or nothing ever comes, before there are headers. */
  | { readonly before: 'reset' | 'silence' }
  /** The connection is ended only when it has served a request before: it is taken for a stale one. */
  | { readonly before: 'stale' }
  /** After so many deltas nothing more comes; the connection stays open. */
  | { readonly stallAfter: number }
  /** After so many deltas nothing but pings (comments, where the wire has no ping) comes, each after so many milliseconds. */
  | { readonly pingsAfter: number; readonly everyMs: number }
  /** After so many deltas the service tells of an error inside the stream, and ends it. */
  | { readonly errorAfter: number; readonly type: string; readonly message?: string }
  /** The connection breaks after so many bytes of the body. */
  | { readonly cutAt: number }
  /** The stream ends in good order after so many deltas, without its last events. */
  | { readonly endAfter: number }
  /** In good order, with everything but the very last events of the wire (finish reason and all after it). */
  | { readonly endBefore: 'terminal' }
  | { readonly instead: 'html' | 'json' | 'nothing' | 'other json' }
  /** After so many deltas a line that is no JSON. */
  | { readonly badLineAfter: number }
  /** One event of so many bytes among the deltas. */
  | { readonly hugeEvent: number }
  /** Deltas until the other side has enough. */
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

/** One event of a stream, before it is put into bytes. */
export interface Frame {
  readonly event?: string
  readonly data: string
  /** Carries something of the answer. */
  readonly isDelta?: boolean
  /** Without it and what follows, the answer is not complete. */
  readonly isTerminal?: boolean
}

export function fullUsage({ usage, text = '', reasoning = '', calls = [] }: Said, asked: string): Usage {
  if (usage !== undefined) return usage
  const tokens = (count: number) => Math.ceil(count / 4)
  const called = calls.reduce((sum, each) => sum + each.name.length + argsText(each).length, 0)
  const thought = tokens(reasoning.length)
  return {
    input: tokens(asked.length),
    output: thought + tokens(text.length + called),
    ...(thought > 0 ? { reasoning: thought } : {}),
  }
}

export function argsText({ args = {}, pieces: given }: SaidCall): string {
  if (given !== undefined) return given.join('')
  return typeof args === 'string' ? args : JSON.stringify(args)
}

/** The deltas in which a call's arguments come. */
export function argsPieces(call: SaidCall, quirks: ReadonlySet<Quirk>): readonly string[] {
  if (call.pieces !== undefined) return call.pieces
  return quirks.has('args in pieces') ? Array.from(argsText(call)) : pieces(argsText(call), 9)
}

/** A text in pieces as models send it, by code points, so that none is halved between two deltas. */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'gu')) ?? []
}
