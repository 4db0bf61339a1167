/** How long a provider asks to be left alone, as its headers say. */

/**
 * Milliseconds; undefined when nothing usable is said: no header, no number, a negative one, a date that is over.
 * @param now milliseconds since 1970, for an answer that does not tell when it was sent
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const asked = whole(numberIn(headers.get('retry-after-ms')))
  return asked ?? fromRetryAfter(headers.get('retry-after'), sentAt(headers) ?? now)
}

/** A date is meant by the provider's own clock, which its answer tells; ours may be set otherwise. */
function sentAt(headers: Headers): number | undefined {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isFinite(at) ? at : undefined
}

function fromRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const seconds = numberIn(value)
  if (seconds !== undefined) return whole(seconds * 1_000)
  // A date has a letter; Date.parse takes all kinds of numbers for one.
  return /[a-z]/i.test(value) ? whole(Date.parse(value) - now) : undefined
}

function numberIn(value: string | null): number | undefined {
  if (value === null || !/^\s*[-+]?(\d+\.?\d*|\.\d+)\s*s?\s*$/.test(value)) return undefined
  return Number.parseFloat(value)
}

function whole(ms: number | undefined): number | undefined {
  return ms === undefined || !Number.isFinite(ms) || ms < 0 ? undefined : Math.ceil(ms)
}
