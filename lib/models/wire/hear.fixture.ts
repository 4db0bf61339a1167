/**
 * For tests: services that answer with given bytes without a network, and the chunks that
 * a client reads from them.
 */

import type { Endpoint, ModelChunk, ModelClient, ModelContext, ModelRequest } from '#lib/spec/model'
import { IdleTimer } from './idle-timer'
import { incomingOf } from './incoming'
import type { AnswerReader } from './reader'
import { openReply } from './reply'

export interface Asked {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string
}

export interface Service extends ModelContext {
  /** The requests so far, in order. */
  readonly asked: Asked[]
}

export const key = 'sk-test-0123456789abcdef'
const known: Endpoint = { name: 'any', baseUrl: 'https://models.example/v1', key }

type Answering = (asked: Asked, signal: AbortSignal) => Response | Promise<Response>

/** A context whose `fetch` returns the given response. */
export function service(answer: Answering, endpoint: Endpoint | undefined = known): Service {
  const asked: Asked[] = []
  return {
    asked,
    sleep: async () => {},
    endpoint: () => endpoint,
    fetch: async (input, { method = 'GET', headers, body, signal } = {}) => {
      const request: Asked = {
        url: String(input),
        method,
        headers: new Headers(headers),
        body: typeof body === 'string' ? body : '',
      }
      asked.push(request)
      return await answer(request, signal ?? new AbortController().signal)
    },
  }
}

export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** A body that delivers these reads and then ends, breaks or stays open. */
export function bodyOf(
  reads: readonly Uint8Array[],
  ending: 'end' | 'break' | 'open' = 'end',
): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const read = reads[next++]
      if (read !== undefined) controller.enqueue(read)
      else if (ending === 'end') controller.close()
      else if (ending === 'break') controller.error(new TypeError('terminated'))
      else return new Promise(() => {})
    },
  })
}

export function sse(reads: readonly Uint8Array[], ending?: 'end' | 'break' | 'open'): Response {
  return new Response(bodyOf(reads, ending), { headers: { 'content-type': 'text/event-stream' } })
}

/** Events with data only, as Chat Completions sends them. */
export function dataEvents(values: readonly unknown[]): string {
  return values.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('')
}

export const request: ModelRequest = {
  instructions: 'Be brief.',
  messages: [{ role: 'user', text: 'hi' }],
  tools: [],
  step: 1,
  attempt: 1,
}

export async function heard(
  client: ModelClient,
  given: Partial<ModelRequest> = {},
  signal = new AbortController().signal,
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of client.stream(client.encode({ ...request, ...given }), signal)) chunks.push(chunk)
  return chunks
}

/** Joins neighboring chunks of one kind, so that the result does not depend on the cuts. */
export function joined(chunks: readonly ModelChunk[]): ModelChunk[] {
  const whole: ModelChunk[] = []
  for (const chunk of chunks) {
    const last = whole.at(-1)
    const goesOn =
      last !== undefined &&
      'text' in last &&
      'text' in chunk &&
      last.type === chunk.type &&
      ('index' in last ? last.index : -1) === ('index' in chunk ? chunk.index : -1)
    if (goesOn) whole[whole.length - 1] = { ...last, text: last.text + chunk.text }
    else whole.push(chunk)
  }
  return whole
}

/** The calls of an answer with their arguments. */
export function calls(
  chunks: readonly ModelChunk[],
): { name: string; args: string; wireId?: string | undefined }[] {
  const found = new Map<number, { name: string; args: string; wireId?: string | undefined }>()
  for (const chunk of chunks) {
    if (chunk.type === 'call.start')
      found.set(chunk.index, {
        name: chunk.name,
        args: '',
        ...(chunk.wireId === undefined ? {} : { wireId: chunk.wireId }),
      })
    const call = chunk.type === 'call.args' ? found.get(chunk.index) : undefined
    if (call !== undefined && chunk.type === 'call.args') call.args += chunk.text
  }
  return [...found.values()]
}

export function said(chunks: readonly ModelChunk[], type: 'text' | 'reasoning' = 'text'): string {
  return chunks.map((each) => (each.type === type ? each.text : '')).join('')
}

export const site = { label: 'Test', host: 'models.example', key }

/** What a reader makes of a stream with these reads, without a client. */
export async function readBy(hearing: AnswerReader, reads: readonly Uint8Array[]): Promise<ModelChunk[]> {
  const watch = new IdleTimer({ firstContentMs: 60_000, betweenMs: 60_000 }, () => {})
  const { signal } = new AbortController()
  const chunks: ModelChunk[] = []
  const reply = { response: incomingOf(sse(reads)), hearing, site, watch, stream: true, signal }
  const reading = openReply(reply)
  for (let goesOn = true; goesOn; ) {
    goesOn = await reading.next()
    chunks.push(...hearing.out.take())
  }
  reading.close()
  watch.stop()
  return chunks
}

/** The official clients are large: on a busy machine their first import must not count in a test's time. */
export async function loadClients(): Promise<void> {
  await Promise.all([import('openai'), import('@anthropic-ai/sdk')])
}

/** The bytes, cut at these positions. */
export function cutAt(all: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [0, ...[...cuts].sort((a, b) => a - b), all.length]
  return at.slice(1).map((end, index) => all.subarray(at[index], end))
}

/** One chunk of a Chat Completions stream. */
export function delta(delta: unknown, finish: string | null = null) {
  return { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] }
}

/** One item of `tool_calls`. */
export function toolCall(
  index: number | undefined,
  more: Record<string, unknown>,
  args?: unknown,
  name?: string,
) {
  const called = {
    ...(name === undefined ? {} : { name }),
    ...(args === undefined ? {} : { arguments: args }),
  }
  return { ...(index === undefined ? {} : { index }), ...more, type: 'function', function: called }
}
