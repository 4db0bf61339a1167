/** How long an answer may stay silent, as its endpoint, its kind and its effort say. */
import type { Endpoint, ModelWaits } from '#lib/spec/model'

const standardWaits: ModelWaits = { headersMs: 60_000, firstContentMs: 120_000, betweenMs: 60_000 }

interface Asked {
  readonly stream: boolean
  readonly timeoutSeconds: number
  /** The model may think for minutes without a word. */
  readonly isPatient: boolean
}

export function waitsOf(endpoint: Endpoint, { stream, timeoutSeconds, isPatient }: Asked): ModelWaits {
  const limit = Math.ceil(timeoutSeconds * 1_000)
  // Without streaming all of an answer comes at once, at its end.
  if (!stream) return { headersMs: limit, firstContentMs: limit, betweenMs: limit }
  const { headersMs, firstContentMs, betweenMs } = standardWaits
  const own = isPatient
    ? { headersMs: Math.max(headersMs, limit), firstContentMs: Math.max(firstContentMs, limit), betweenMs }
    : standardWaits
  return { ...own, ...endpoint.waits }
}
