/** Evaluates JMESPath expressions in a child process behind a wall, since an expression can take for ever. */
import { z } from 'zod'
import { maxKeptBytes } from '#lib/spec/artifact'
import { jsonValue, tryParseJson } from '#lib/spec/json'
import type { JsonQuery, JsonQueryAnswer, JsonQueryFault, JsonQueryPort } from '#lib/spec/json-query'
import { type JsonQuerySaid, jsonQueryLimits } from './json-query-wire'
import { type WalledFault, WalledProgram, walledCodes } from './walled-answer'
import { readWhole } from './whole-file'

const { bytes: maxBytes, milliseconds, heapMiB } = jsonQueryLimits
const program = new WalledProgram({
  program: 'json-query-child',
  heapMiB,
  milliseconds,
  maxOutputBytes: 1024 * 1024,
})

export const jsonQueries: JsonQueryPort = { ask: (query, signal) => askJson(query, signal) }

/** Never throws. */
export async function askJson(
  { expression, from, inLine }: JsonQuery,
  signal: AbortSignal,
  timeoutMs?: number,
): Promise<JsonQueryAnswer> {
  let isCut = false
  const input = async (): Promise<Uint8Array | Refusal> => {
    const text = await textOf(from)
    isCut = 'artifact' in from && text instanceof Buffer && text.byteLength > maxKeptBytes - 4
    return text instanceof Buffer
      ? Buffer.concat([Buffer.from(`${JSON.stringify(expression)}\n`), text])
      : text
  }
  const answer = await program.ask({ input, timeoutMs, inLine }, signal)
  if (!answer.ok) return 'fault' in answer ? refusal(codes[answer.fault], sentences[answer.fault]) : answer
  const read = said.safeParse(tryParseJson(answer.output.toString('utf8'))).data
  if (read === undefined) return refusal('data', sentences.broken)
  if (read.ok) return { ...read, wall: answer.wall }
  return read.code === 'data' && isCut ? cut : read
}

type Refusal = Extract<JsonQueryAnswer, { ok: false }>

async function textOf(from: JsonQuery['from']): Promise<Buffer | Refusal> {
  if ('path' in from) {
    const file = await readWhole(from.files, from.path, maxBytes)
    if (file.ok) return file.content
    return file.code === 'too_large' ? tooLarge : refusal('data', file.message)
  }
  if ('artifact' in from) {
    const base64 = await from.artifacts.readBase64?.(from.artifact, maxBytes)
    return base64 === undefined ? gone : Buffer.from(base64, 'base64')
  }
  const text = Buffer.from(from.text)
  return text.byteLength > maxBytes ? tooLarge : text
}

const said = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    value: jsonValue,
    left: z
      .strictObject({
        of: z.enum(['items', 'keys', 'characters']),
        shown: z.int().nonnegative(),
        total: z.int().nonnegative(),
      })
      .optional(),
  }),
  z.strictObject({ ok: z.literal(false), code: z.enum(['data', 'expression']), message: z.string() }),
]) satisfies z.ZodType<JsonQuerySaid>

function refusal(code: JsonQueryFault, message: string): Refusal {
  return { ok: false, code, message }
}

const tooLarge = refusal(
  'too_large',
  `The JSON is larger than ${maxBytes / 2 ** 20} MiB, the limit for a query.`,
)
/** What is kept of a longer result ends there, at the last whole character. */
const cut = refusal(
  'data',
  `The result was longer than ${maxKeptBytes / 2 ** 20} MiB and only that much of it was kept, so it is no whole JSON. Make a call that returns less, or one that writes its result into a file.`,
)
const gone = refusal('data', 'What was kept of it is gone.')

const codes: Readonly<Record<WalledFault, JsonQueryFault>> = { ...walledCodes, broken: 'data' }

const sentences: Readonly<Record<WalledFault, string>> = {
  timeout: `The query took longer than ${milliseconds / 1_000} seconds and was given up. Ask for less.`,
  memory: `The query needs more than ${heapMiB} MiB of memory and was given up. Ask for less.`,
  aborted: 'The query was stopped.',
  busy: 'All processes that query JSON are busy. Try again.',
  unavailable: 'The process that queries JSON could not be started.',
  output: 'The result is too large.',
  broken: 'The query broke its process. The JSON may be nested too deep.',
}
