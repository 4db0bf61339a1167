/**
 * Marks where a prefix of the dialogue ends that OpenAI should cache, for models that take such marks: the end of
 * what the next request repeats, and the place that the request before had marked.
 */
import type { JsonObject } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import { type WrittenDialogue, withCommas } from '../wire/dialogue'

/** The content of a marked message is a list of one part of this type. */
export type MarkedPart = 'text' | 'input_text'

/** The places that are marked; none where the request has no key or the model takes no marks. */
export function breakpointsIn(
  { model }: JsonObject,
  { key, messages, hints = 0 }: { key: string; messages: readonly Message[]; hints?: number | undefined },
): ReadonlySet<number> {
  if (key === '' || typeof model !== 'string' || !takesBreakpoints(model)) return none
  const places: number[] = []
  for (let at = messages.length - hints - 1; at >= 0 && places.length < 2; at--) {
    // A service looks up only marked places, so the end of the request before is marked again.
    const isEnd =
      messages[at]?.role !== 'assistant' && (places.length === 0 || messages[at + 1]?.role === 'assistant')
    if (isEnd) places.push(at)
  }
  return new Set(places)
}

const none: ReadonlySet<number> = new Set()

/** OpenAI's models from GPT-5.6 on, also when fine-tuned. */
export function takesBreakpoints(model: string): boolean {
  const [, major, minor = '0'] = /^(?:ft:)?gpt-(\d+)(?:\.(\d+))?(?![\da-z.])/.exec(model) ?? []
  if (major === undefined) return false
  return Number(major) > 5 || (Number(major) === 5 && Number(minor) >= 6)
}

/** The texts of the dialogue, joined, with `mark` applied to those at these places. */
export function withMarks(
  { texts, joined }: WrittenDialogue,
  places: ReadonlySet<number>,
  mark: (text: string, at: number) => string,
): string {
  if (places.size === 0) return joined
  return withCommas(texts.map((text, at) => (places.has(at) ? mark(text, at) : text)))
}

/**
 * The written message with a mark at its end. What comes last under this key is a text, which becomes one part, or
 * a list whose last part is a text.
 */
export function withBreakpoint(message: string, key: 'content' | 'output', type: MarkedPart): string {
  // Inside a text the quotes would be escaped, so the first match is the key.
  const at = message.indexOf(`,"${key}":`) + key.length + 4
  const mark = '"prompt_cache_breakpoint":{"mode":"explicit"}'
  if (message[at] === '[') return `${message.slice(0, -'}]}'.length)},${mark}}]}`
  return `${message.slice(0, at)}[{"type":"${type}","text":${message.slice(at, -1)},${mark}}]}`
}
