/** Reads OpenAPI documents in a child process with limited time and memory, since anybody may have written one. */
import { z } from 'zod'
import type { Result } from '#lib/spec/errors'
import { tryParseJson } from '#lib/spec/json'
import type { ApiDocument } from '#lib/spec/openapi'
import { answerOfChild } from './child-answer'
import { TurnQueue, turnIn } from './turns'

const bounds = { memoryMiB: 1_536, heapMiB: 1_024, cpuSeconds: 40, fileMiB: 1 }
const longestMs = 45_000
const maxOutputBytes = 64 * 1024 * 1024
/** One at a time, since each may take much memory. */
const turns = new TurnQueue(1)

const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.custom<ApiDocument>((value) => typeof value === 'object') }),
  z.object({ ok: z.literal(false), error: z.string() }),
])

const tooMuch =
  'The document takes too long or too much memory to read. Take out what is not needed and try again.'

/** The error is one sentence for a person. Never throws. */
export async function readOpenapi(text: string, signal: AbortSignal): Promise<Result<ApiDocument, string>> {
  const giveBack = await turnIn(turns, signal, {})
  if (typeof giveBack === 'string') return { ok: false, error: 'Reading the document was stopped.' }
  try {
    const said = await answerOfChild(
      { program: 'openapi-child', input: text, bounds, timeoutMs: longestMs, maxOutputBytes },
      signal,
    )
    const read = answer.safeParse(tryParseJson(said ?? '')).data
    return read ?? { ok: false, error: signal.aborted ? 'Reading the document was stopped.' : tooMuch }
  } catch {
    // The system has no pipes left to start a child with.
    return { ok: false, error: 'The document cannot be read now. Try again.' }
  } finally {
    giveBack()
  }
}
