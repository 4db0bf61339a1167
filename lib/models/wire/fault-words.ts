/**
 * Extracts the text of a provider's error that may be shown: the relevant sentence, without keys
 * or markup, and shortened.
 */
import { isObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import { textIn } from './json'

const maxSnippet = 200

/** The parts of an error; a missing part is an empty text. */
export interface Words {
  readonly type: string
  readonly code: string
  readonly message: string
}

const bearer = /\b(bearer|basic)\s+[\w.~+/=*-]{6,}/gi
/** The form of keys of the known services, masked ones included. */
const keyLike = /\b(?:sk|pk|rk|ak|gsk|xai|hf|nvapi|pplx|csk|fw|key)[-_][\w*.…-]{6,}|\bAIza[\w-]{16,}/g

/** Removes the key itself and anything that looks like a key. */
export function withoutKeys(text: string, key: string | undefined): string {
  const known = key === undefined || key.length < 4 ? text : text.replaceAll(key, '[key]')
  return withoutHalf(known, key).replace(bearer, '$1 [key]').replace(keyLike, '[key]')
}

/** A cut text may end with the first part of the key. */
function withoutHalf(text: string, key = ''): string {
  return text.replace(/[^\s…]{4,}…/g, (end) => {
    for (let length = key.length - 1; length >= 4; length--)
      if (end.endsWith(`${key.slice(0, length)}…`)) return `${end.slice(0, -length - 1)}[key]…`
    return end
  })
}

/** One plain line of at most 200 characters from any text, including HTML pages. */
export function snippet(text: string): string {
  const plain = text
    .slice(0, 20_000)
    .replace(/<(script|style|head)\b[\s\S]*?(<\/\1\s*>|$)/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
  return shorten(plain, maxSnippet)
}

/** Cuts by code points and marks the cut. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  const points = Array.from(text)
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`
}

/** Finds the error in the body of a failed response, in any of the common forms. */
export function wordsOfBody(body: string): Words {
  const value = tryParseJson(body)
  return value === undefined || typeof value !== 'object'
    ? { type: '', code: '', message: snippet(body) }
    : wordsOf(value)
}

export function wordsOf(value: JsonValue): Words {
  if (Array.isArray(value)) return wordsOf(value[0] ?? '')
  if (!isObject(value))
    return { type: '', code: '', message: typeof value === 'string' ? snippet(value) : '' }
  const inner = isObject(value.error) ? value.error : value
  const message = textIn(inner, 'message') || detailOf(inner.detail ?? value.error ?? null)
  return {
    type: textIn(inner, 'type') || textIn(inner, 'status'),
    code: codeOf(inner.code) || errorCodeOf(inner.details),
    message: snippet(message),
  }
}

function codeOf(code: JsonValue | undefined): string {
  return typeof code === 'string' || typeof code === 'number' ? String(code) : ''
}

function errorCodeOf(details: JsonValue | undefined): string {
  return isObject(details) ? textIn(details, 'error_code') : ''
}

function detailOf(detail: JsonValue): string {
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) return detailOf(detail[0] ?? null)
  return isObject(detail) ? textIn(detail, 'msg') || textIn(detail, 'message') : ''
}
