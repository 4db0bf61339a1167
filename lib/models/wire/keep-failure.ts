/** The fetch handed to an official client: it keeps what the client would lose, and bounds the body of a failure in size and time. */

const maxFailureBytes = 64 * 1024
const maxFailureMs = 10_000

/** What came instead of an answer. */
export interface Refused {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

export interface FetchWithFailure {
  readonly fetch: typeof globalThis.fetch
  /** Set once the provider has answered with a bad status. */
  refused: Refused | undefined
  /** Set once no answer came at all: what fetch threw. */
  broken: unknown
}

export function openDoor(fetch: typeof globalThis.fetch): FetchWithFailure {
  const door: FetchWithFailure = { fetch: knock, refused: undefined, broken: undefined }
  return door

  async function knock(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    let response: Response
    try {
      // A redirect would take the key along to wherever it leads.
      response = await fetch(input, { ...init, redirect: 'manual' })
    } catch (error) {
      door.broken = error
      throw error
    }
    if (response.ok) return response
    const { status, headers } = response
    const body = await failureText(response)
    door.refused = { status, headers, body }
    // The client reads it again to make an error of it.
    return new Response(status === 304 ? null : body, { status, headers: { 'content-type': 'text/plain' } })
  }
}

/** What a failure says, as far as it came in time; never throws. */
async function failureText({ body }: Response): Promise<string> {
  if (body === null) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), maxFailureMs)
  let text = ''
  try {
    for (let size = 0; size < maxFailureBytes; ) {
      const { done, value } = await reader.read()
      if (done) return text
      size += value.byteLength
      text += decoder.decode(value, { stream: true })
    }
    await reader.cancel()
  } catch {
    // What came before it broke is all there is.
  } finally {
    clearTimeout(timer)
  }
  return text
}
