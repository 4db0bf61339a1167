/**
 * The `fetch` for an official client: it keeps failed responses, which the client would lose, and limits the
 * size and time of their body.
 */

import type { IncomingBody } from '#lib/spec/model'

const maxFailureBytes = 64 * 1024
const maxFailureMs = 10_000

/** A failed response. */
export interface Refused {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface FetchWithFailure {
  readonly fetch: typeof globalThis.fetch
  /** Set if the provider answered with an error status. */
  refused: Refused | undefined
  /** Set if there was no response: the error that `fetch` threw. */
  broken: unknown
}

export function keepFailure(fetch: typeof globalThis.fetch): FetchWithFailure {
  const door: FetchWithFailure = { fetch: knock, refused: undefined, broken: undefined }
  return door

  async function knock(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    let response: Response
    try {
      // Following a redirect could send the key to another server.
      response = await fetch(input, { ...init, redirect: 'manual' })
    } catch (error) {
      door.broken = error
      throw error
    }
    if (response.ok) return response
    const { status, headers } = response
    const body = await failureText(response.body?.getReader() ?? null)
    door.refused = { status, headers, body }
    // The client reads the body again to create its error.
    return new Response(status === 304 ? null : body, { status, headers: { 'content-type': 'text/plain' } })
  }
}

/** The body of a failed response, as far as it arrived in time; never throws. */
export async function failureText(reader: IncomingBody | null): Promise<string> {
  if (reader === null) return ''
  const decoder = new TextDecoder()
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), maxFailureMs)
  let text = ''
  try {
    for (let size = 0; size < maxFailureBytes; ) {
      const { done, value } = await reader.read()
      if (done || value === undefined) return text
      size += value.byteLength
      text += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
  } catch {
    // The body broke; the text before that is kept.
  } finally {
    clearTimeout(timer)
  }
  return text
}
