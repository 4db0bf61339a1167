/** How long an answer may stay silent, depending on its endpoint, on streaming and on its effort. */
import type { Endpoint, ModelWaits } from '#lib/spec/model'

const standardWaits: ModelWaits = { headersMs: 60_000, firstContentMs: 120_000, betweenMs: 60_000 }

interface Asked {
  readonly stream: boolean
  readonly timeoutSeconds: number
  /** The model may think for minutes before its first text. */
  readonly isPatient: boolean
}

export function waitsOf(endpoint: Endpoint, { stream, timeoutSeconds, isPatient }: Asked): ModelWaits {
  const limit = Math.ceil(timeoutSeconds * 1_000)
  // Without streaming the whole answer arrives at once at the end.
  if (!stream) return { headersMs: limit, firstContentMs: limit, betweenMs: limit }
  const { headersMs, firstContentMs, betweenMs } = standardWaits
  const own = isPatient
    ? { headersMs: Math.max(headersMs, limit), firstContentMs: Math.max(firstContentMs, limit), betweenMs }
    : standardWaits
  return { ...own, ...endpoint.waits }
}
