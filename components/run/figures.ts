/** How figures are shown on screen: a space before the unit, and no more digits than are meaningful. */

/**
 * Milliseconds in readable units: `41 ms`, `1.88 s`, `14.2 s`, `2 min 05 s`. A figure is rounded before its
 * unit is chosen.
 */
export function duration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}

/** A duration without decimals where it is a whole number of seconds: `3 s`. */
export function wholeDuration(ms: number): string {
  return ms % 1_000 === 0 && ms >= 1_000 && ms < 60_000 ? `${ms / 1_000} s` : duration(ms)
}

/** The rest of a wait, as a clock: `14:58`, `0:07`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 call`, `2 calls`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** Arguments as a row shows them: `sql: SELECT …, database: retail`. */
export function argumentsText(args: { readonly [key: string]: unknown }): string {
  return Object.entries(args)
    .map(
      ([key, value]) =>
        `${key}: ${typeof value === 'string' ? value.replace(/\s+/g, ' ') : JSON.stringify(value)}`,
    )
    .join(', ')
}

/**
 * The arguments received so far, in the same format. Incomplete JSON is never parsed, because a guess would
 * be shown as a fact.
 */
export function streamedArguments(json: string): string {
  return json
    .slice(0, 600)
    .replace(/"([^"\\]{1,64})"\s*:\s*"?/g, '$1: ')
    .replace(/^\s*\{\s*"?/, '')
    .replace(/\\[nrt]|\s+/g, ' ')
    .replace(/\\(["\\/])/g, '$1')
    .replace(/"\s*,\s*"?/g, ', ')
    .replace(/"?\s*\}?\s*$/, '')
}

/** Ticks of a time axis from 0 to `span` milliseconds, at round steps; at most `most` of them. */
export function ticks(span: number, most = 8): number[] {
  if (span <= 0) return [0]
  const rough = span / most
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const found: number[] = []
  for (let index = 0; index * step <= span; index++) found.push(index * step)
  return found
}

/** Dollars in a form that suits small sums: `$0.0036`, `$1.24`; a known price of zero is `$0`. */
export function usd(value: number): string {
  if (value === 0) return '$0'
  if (value < 0.000_05) return '<$0.0001'
  return `$${value.toLocaleString('en-US', {
    minimumFractionDigits: value < 0.999_95 ? 4 : 2,
    maximumFractionDigits: value < 0.999_95 ? 4 : 2,
  })}`
}

/** What a provider's cache did for a request or a run: how much of the input it held, and what that saved. */
export function cacheText(
  { input, cached = 0, cacheWritten = 0 }: { input: number; cached?: number; cacheWritten?: number },
  savedUsd: number | undefined,
): string | null {
  if (cached === 0 && cacheWritten === 0) return null
  if (cached === 0)
    return `${count(cacheWritten)} of ${plural(input, 'token')} written to cache${extra(savedUsd)}`
  return `${count(cached)} of ${plural(input, 'token')} from cache${extra(savedUsd)}`
}

/** Writing to a cache may cost more than reading from it has saved. */
function extra(savedUsd: number | undefined): string {
  if (savedUsd === undefined || savedUsd === 0) return ''
  return savedUsd > 0 ? `, saved ${usd(savedUsd)}` : `, for ${usd(-savedUsd)} more`
}

/** A count of tokens; `≈` means that it was estimated here. */
export function tokensText(value: number, isEstimated: boolean | undefined): string {
  return `${isEstimated ? '≈ ' : ''}${count(value)}`
}

/** `812 B`, `14.2 kB`, `3.40 MB`; 1 kB is 1,000 bytes, as in file lists. */
export function size(bytes: number): string {
  if (bytes < 1_000) return `${count(bytes)} B`
  const units = ['kB', 'MB', 'GB']
  let value = bytes / 1_000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000
    unit++
  }
  const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
  return `${value.toFixed(digits)} ${units[unit]}`
}
