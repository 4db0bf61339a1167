/** One turn of a scripted model: its schema, and how it is played as a stream, faults included. */
import { z } from 'zod'
import { usage } from '#lib/spec/event'
import { jsonObject } from '#lib/spec/json'
import type { FinishReason, ModelChunk, Usage } from '#lib/spec/model'

const longText = z.string().max(1_000_000)

const fault = z.union([
  z.strictObject({
    status: z
      .int()
      .min(100)
      .max(599)
      .meta({ title: 'HTTP status', description: 'The request fails with it.' }),
  }),
  z.strictObject({
    stallMs: z
      .int()
      .min(0)
      .max(3_600_000)
      .meta({ title: 'Stall', description: 'Half-way it falls silent this long, then goes on.', unit: 'ms' }),
  }),
  z.strictObject({
    cutAfter: z.int().min(0).meta({
      title: 'Cut after',
      description: 'The connection ends after so many characters.',
      unit: 'characters',
    }),
  }),
  z.strictObject({
    finish: z
      .enum(['stop', 'calls', 'length', 'filter'])
      .meta({ title: 'Finish reason', description: 'What it gives as its reason to stop.' }),
  }),
])
type Fault = z.output<typeof fault>

export const turn = z.strictObject({
  text: longText.optional().meta({ title: 'Text', format: 'multiline' }),
  reasoning: longText.optional().meta({ title: 'Thought', format: 'multiline' }),
  calls: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(256).meta({ title: 'Tool' }),
        args: jsonObject.default({}).meta({ title: 'Arguments' }),
      }),
    )
    .max(128)
    .optional()
    .meta({ title: 'Calls' }),
  usage: usage
    .optional()
    .meta({ title: 'Tokens', description: 'Without it they are estimated at four characters a token.' }),
  onError: longText.optional().meta({
    title: 'After an error',
    description:
      'What it says in place of this turn, without calls, when a result that it has just read is an error.',
    format: 'multiline',
  }),
  fault: fault.optional().meta({ title: 'Fault', description: 'What goes wrong in this turn.' }),
})
export const completion = z.strictObject({
  purpose: z.string().max(200).optional().meta({
    title: 'Purpose',
    description: 'What the tool asks for, as in "Search queries"; without it, anything.',
  }),
  contains: longText
    .optional()
    .meta({ title: 'Contains', description: 'A text that the question contains.' }),
  ...turn.pick({ text: true, usage: true, fault: true }).shape,
})

export type ScriptedTurn = z.output<typeof turn>

export interface Play {
  readonly turn: ScriptedTurn
  readonly stream: boolean
  readonly paceMs: number
  /** The length of the request, for the estimate of its tokens. */
  readonly bodyChars: number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

/** A piece of a stream before it is played: a chunk, or the silence that a fault may add. */
type Piece = ModelChunk | { readonly type: 'stall'; readonly ms: number }

/** Plays a turn. Ends with `finish`, with `fault`, or with neither if the turn cuts the connection. */
export async function* play({
  turn,
  stream,
  paceMs,
  bodyChars,
  sleep,
  signal,
}: Play): AsyncGenerator<ModelChunk> {
  const finish = finishOf(turn, bodyChars)
  for (const piece of withFault([...spoken(turn, stream), finish], turn.fault)) {
    if (signal.aborted) return yield aborted
    if (piece.type !== 'stall') yield piece
    const wait = piece.type === 'stall' ? piece.ms : paceOf(piece, paceMs)
    if (wait > 0) await rest(wait, sleep, signal)
    if (signal.aborted && piece.type !== 'finish' && piece.type !== 'fault') return yield aborted
  }
}

const aborted: ModelChunk = {
  type: 'fault',
  fault: { code: 'aborted', message: 'The request was cancelled.' },
}

function paceOf(piece: ModelChunk, paceMs: number): number {
  return piece.type === 'text' || piece.type === 'reasoning' || piece.type === 'call.args' ? paceMs : 0
}

/** A sleep that is aborted may throw or return early; both are fine. */
async function rest(ms: number, sleep: Play['sleep'], signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, signal)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function spoken({ reasoning = '', text = '', calls = [] }: ScriptedTurn, stream: boolean): ModelChunk[] {
  const split = (whole: string, pattern: RegExp) =>
    stream ? (whole.match(pattern) ?? []) : whole === '' ? [] : [whole]
  const chunks: ModelChunk[] = []
  for (const word of split(reasoning, words)) chunks.push({ type: 'reasoning', text: word })
  for (const word of split(text, words)) chunks.push({ type: 'text', text: word })
  calls.forEach(({ name, args }, index) => {
    chunks.push({ type: 'call.start', index, name })
    for (const piece of split(JSON.stringify(args), argsPieces))
      chunks.push({ type: 'call.args', index, text: piece })
    chunks.push({ type: 'call.end', index })
  })
  return chunks
}

const words = /\s*\S+|\s+/gu
/** By code points, so that no character is split between two deltas. */
const argsPieces = /[\s\S]{1,12}/gu

function finishOf(turn: ScriptedTurn, bodyChars: number): Extract<ModelChunk, { type: 'finish' }> {
  const reason: FinishReason = turn.calls !== undefined && turn.calls.length > 0 ? 'calls' : 'stop'
  return { type: 'finish', reason, usage: turn.usage ?? estimate(turn, bodyChars) }
}

/**
 * There is no tokenizer here: the estimate is four characters per token, for the whole
 * request and the whole answer.
 */
function estimate({ text = '', reasoning = '', calls = [] }: ScriptedTurn, bodyChars: number): Usage {
  const called = calls.reduce((sum, each) => sum + each.name.length + JSON.stringify(each.args).length, 0)
  const tokens = (chars: number) => Math.ceil(chars / 4)
  const thought = tokens(reasoning.length)
  return {
    input: tokens(bodyChars),
    output: thought + tokens(text.length + called),
    ...(thought > 0 ? { reasoning: thought } : {}),
  }
}

function withFault(chunks: ModelChunk[], fault: Fault | undefined): Piece[] {
  if (fault === undefined) return chunks
  if ('status' in fault) {
    return [
      {
        type: 'fault',
        fault: {
          code: 'http',
          status: fault.status,
          message: `The scripted model answered with HTTP ${fault.status}, as its turn says.`,
        },
      },
    ]
  }
  if ('stallMs' in fault) {
    const half = Math.floor((chunks.length - 1) / 2)
    return [...chunks.slice(0, half), { type: 'stall', ms: fault.stallMs }, ...chunks.slice(half)]
  }
  if ('cutAfter' in fault) return cut(chunks, fault.cutAfter)
  return chunks.map((each) => (each.type === 'finish' ? { ...each, reason: fault.finish } : each))
}

/**
 * The first `limit` characters (code points) of the turn, never with its end, even if the turn is shorter.
 */
function cut(chunks: readonly ModelChunk[], limit: number): ModelChunk[] {
  const kept: ModelChunk[] = []
  let left = limit
  for (const chunk of chunks) {
    if (chunk.type === 'finish') break
    if (!('text' in chunk)) {
      if (left > 0) kept.push(chunk)
      continue
    }
    const characters = Array.from(chunk.text).slice(0, left)
    if (characters.length > 0) kept.push({ ...chunk, text: characters.join('') })
    left -= characters.length
    if (left <= 0) break
  }
  return kept
}
