/** Evaluates JMESPath expressions in a child process behind a wall, since an expression can take for ever. */
import { z } from 'zod'
import { jsonValue, tryParseJson } from '#lib/spec/json'
import type { JsonQuery, JsonQueryAnswer, JsonQueryFault, JsonQueryPort } from '#lib/spec/json-query'
import { type JsonQuerySaid, jsonQueryLimits } from './json-query-wire'
import { TurnQueue } from './turns'
import { askWalled, type WalledFault } from './walled-answer'

const { bytes: maxBytes, milliseconds, heapMiB } = jsonQueryLimits
const bounds = {
  memoryMiB: heapMiB + 256,
  heapMiB,
  cpuSeconds: milliseconds / 1_000 + 5,
  fileMiB: 1,
  v8Flags: ['--disallow-code-generation-from-strings'],
}
/** At most this many children at the same time. */
const turns = new TurnQueue(2)

export const jsonQueries: JsonQueryPort = { ask: (query, signal) => askJson(query, signal) }

/** Never throws. */
export async function askJson(
  { expression, from, inLine }: JsonQuery,
  signal: AbortSignal,
  timeoutMs: number = milliseconds,
): Promise<JsonQueryAnswer> {
  const text = 'text' in from ? Buffer.from(from.text) : await readFile(from)
  if ('code' in text) return text
  if (text.byteLength > maxBytes)
    return refusal('too_large', `The JSON is larger than ${maxBytes / 2 ** 20} MiB, the limit for a query.`)
  const answer = await askWalled(
    {
      program: 'json-query-child',
      input: Buffer.concat([Buffer.from(`${JSON.stringify(expression)}\n`), text]),
      bounds,
      timeoutMs,
      maxOutputBytes: 1024 * 1024,
      turns,
      ...(inLine && { inLine }),
    },
    signal,
  )
  if (!answer.ok) return refusal(codes[answer.code], sentences[answer.code])
  return (
    said.safeParse(tryParseJson(answer.output.toString('utf8'))).data ?? refusal('data', sentences.broken)
  )
}

type Refusal = Extract<JsonQueryAnswer, { ok: false }>

async function readFile({
  path,
  files,
}: Extract<JsonQuery['from'], { path: string }>): Promise<Buffer | Refusal> {
  const opened = await files.open?.(path)
  if (opened === undefined) return refusal('data', 'There are no files here.')
  if (!opened.ok) return refusal('data', opened.message)
  const { content, bytes } = opened.value
  try {
    // What is longer is refused by its size, so that it is not read.
    if (bytes > maxBytes) return Buffer.alloc(maxBytes + 1)
    const chunks: Uint8Array[] = []
    for await (const chunk of content) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch {
    return refusal('data', `"${path}" cannot be read from the disk just now.`)
  } finally {
    content.destroy()
  }
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

const codes: Readonly<Record<WalledFault, JsonQueryFault>> = {
  timeout: 'timeout',
  memory: 'memory',
  aborted: 'aborted',
  busy: 'busy',
  unavailable: 'unavailable',
  output: 'too_large',
  broken: 'data',
}

const sentences: Readonly<Record<WalledFault, string>> = {
  timeout: `The query took longer than ${milliseconds / 1_000} seconds and was given up. Ask for less.`,
  memory: `The query needs more than ${heapMiB} MiB of memory and was given up. Ask for less.`,
  aborted: 'The query was stopped.',
  busy: 'All processes that query JSON are busy. Try again.',
  unavailable: 'The process that queries JSON could not be started.',
  output: 'The result is too large.',
  broken: 'The query broke its process. The JSON may be nested too deep.',
}
