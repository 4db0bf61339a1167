/** Reads OpenAPI documents in a child process behind a wall, since anybody may have written one. */
import { z } from 'zod'
import type { Result } from '#lib/spec/errors'
import { tryParseJson } from '#lib/spec/json'
import type { ApiDocument } from '#lib/spec/openapi'
import { WalledProgram } from './walled-answer'

const program = new WalledProgram({
  program: 'openapi-child',
  heapMiB: 1_024,
  outsideMiB: 512,
  milliseconds: 45_000,
  maxOutputBytes: 64 * 1024 * 1024,
  // Each may take much memory.
  atOnce: 1,
})

const answer = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), value: z.custom<ApiDocument>((value) => typeof value === 'object') }),
  z.object({ ok: z.literal(false), error: z.string() }),
])

const tooMuch =
  'The document takes too long or too much memory to read. Take out what is not needed and try again.'

/** The error is one sentence for a person. Never throws. */
export async function readOpenapi(text: string, signal: AbortSignal): Promise<Result<ApiDocument, string>> {
  const said = await program.ask({ input: () => text }, signal)
  if (!said.ok && (said.fault === 'unavailable' || said.fault === 'busy'))
    return { ok: false, error: 'The document cannot be read now. Try again.' }
  const read = answer.safeParse(said.ok ? tryParseJson(said.output.toString('utf8')) : undefined).data
  return read ?? { ok: false, error: signal.aborted ? 'Reading the document was stopped.' : tooMuch }
}
