/** Reads from the headers of a response how long its server asks to wait. */

/** The headers of a response, as far as they are read here. */
export interface HeaderReader {
  get(name: string): string | null
}

/**
 * Milliseconds; undefined if the headers have no usable value: missing, not a number,
 * negative, or a past date.
 * @param now milliseconds since 1970, for a response without a `Date` header
 */
export function retryAfterMs(headers: HeaderReader, now: number): number | undefined {
  const asked = whole(numberIn(headers.get('retry-after-ms')))
  return asked ?? fromRetryAfter(headers.get('retry-after'), sentAt(headers) ?? now)
}

/** A date refers to the server’s own clock, which the response gives; ours may differ. */
function sentAt(headers: HeaderReader): number | undefined {
  const at = Date.parse(headers.get('date') ?? '')
  return Number.isFinite(at) ? at : undefined
}

function fromRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined
  const seconds = numberIn(value)
  if (seconds !== undefined) return whole(seconds * 1_000)
  // A date contains a letter; without this check Date.parse would accept many numbers.
  return /[a-z]/i.test(value) ? whole(Date.parse(value) - now) : undefined
}

function numberIn(value: string | null): number | undefined {
  if (value === null || !/^\s*[-+]?(\d+\.?\d*|\.\d+)\s*s?\s*$/.test(value)) return undefined
  return Number.parseFloat(value)
}

function whole(ms: number | undefined): number | undefined {
  return ms === undefined || !Number.isFinite(ms) || ms < 0 ? undefined : Math.ceil(ms)
}
