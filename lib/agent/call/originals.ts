/** Gives a call's body the arguments as they were sent, while everything that is stored or shown has placeholders. */
import { isObject, type JsonObject, type JsonValue, jsonKey } from '#lib/spec/json'
import type { CallPart } from '#lib/spec/message'
import type { Redact } from '#lib/spec/redact'
import type { CallState } from '#lib/spec/state'
import { readArgs } from '../fit/args'
import { redactKeyed } from '../observation/redact'
import { hooksBeforeCall } from '../state/hook-record'

/** Who wrote the arguments: `model`, `person`, or the entry of a hook. */
type Source = string

/** The original arguments of the calls of one run. What is kept is on disk before an event names it. */
export interface Originals {
  /** Replaces what was kept for the call from this source. */
  keep(callId: string, source: Source, args: JsonObject): void
  of(callId: string, source: Source): JsonObject | undefined
}

/** What is needed to take secrets out and to find them again. */
export interface Hiding {
  readonly redact?: Redact | undefined
  readonly originals?: Originals | undefined
}

/** Keeps originals for as long as the run is at work, where they are not stored. */
export function createOriginals(): Originals {
  const kept = new Map<string, JsonObject>()
  const keyOf = (callId: string, source: Source) => `${callId} ${source}`
  return {
    keep: (callId, source, args) => void kept.set(keyOf(callId, source), args),
    of: (callId, source) => kept.get(keyOf(callId, source)),
  }
}

/** The call without secrets; its arguments are kept if they had any. */
export function hideInCall({ redact, originals }: Hiding, part: CallPart): CallPart {
  if (redact === undefined) return part
  const { id, rawArgs, args } = part
  if (args === undefined) return hideInUnread(redact, part)
  const told = redact(rawArgs)
  // Only behind escapes can there be a secret that the text does not show.
  if (told === rawArgs && !rawArgs.includes('\\')) return part
  const hidden = hide(redact, args)
  if (hidden === undefined) return part
  originals?.keep(id, 'model', args)
  const read = readArgs(told)
  const isSame = 'args' in read && JSON.stringify(read.args) === JSON.stringify(hidden)
  return { ...part, rawArgs: isSame ? told : JSON.stringify(hidden), args: hidden, redacted: true }
}

/** Arguments that are no JSON may end in the middle of a secret, and what is wrong with them quotes them. */
function hideInUnread(redact: Redact, part: CallPart): CallPart {
  const { rawArgs, invalid } = part
  const hidden = redact.inPieces?.()(rawArgs) ?? redact(rawArgs)
  if (hidden === rawArgs) return part
  const read = readArgs(hidden)
  if (invalid?.code !== 'args_json') return { ...part, rawArgs: hidden }
  const message = 'invalid' in read ? read.invalid.message : 'The arguments are not valid JSON.'
  return { ...part, rawArgs: hidden, invalid: { ...invalid, message } }
}

/** The arguments without secrets; undefined when they have none. */
function hide(redact: Redact, args: JsonObject): JsonObject | undefined {
  const isClean = (value: JsonValue) => redact(JSON.stringify(value)) === JSON.stringify(value)
  const hidden = redactKeyed({ redact }, args)
  if (isClean(hidden)) return JSON.stringify(hidden) === JSON.stringify(args) ? undefined : hidden
  // A secret that is JSON itself may have been sent as such and not as text.
  const byValue = Object.entries(hidden).map(([key, value]): [string, JsonValue] => [
    key,
    isClean(value) ? value : redact(JSON.stringify(value)),
  ])
  const whole = Object.fromEntries(byValue)
  return isClean(whole) ? whole : {}
}

/** What events may show of arguments. */
export function withoutSecrets(redact: Redact | undefined, args: JsonObject): JsonObject {
  return redact === undefined ? args : (hide(redact, args) ?? args)
}

/** The arguments that a call runs with: as events show them, and from whom their original is kept. */
function argsInForce(call: CallState): { readonly args: JsonObject | undefined; readonly source?: Source } {
  const hook = hooksBeforeCall(call).findLast(({ changed }) => changed?.args !== undefined)
  if (hook?.changed?.args !== undefined)
    return { args: hook.changed.args, ...(hook.changed.redacted && { source: hook.node }) }
  const { args, redacted } = call.approval?.decided ?? {}
  if (args !== undefined) return { args, ...(redacted && { source: 'person' }) }
  return { args: call.args, ...(call.redacted && { source: 'model' }) }
}

export interface ArgsToRun {
  /** With their secrets; undefined when they could not be read. */
  readonly args: JsonObject | undefined
  /** The same arguments, or a form of them that was fitted to the tool, as events may show them. */
  shown(args: JsonObject): JsonObject
  readonly isRedacted: boolean
}

/** Undefined when the original is no longer kept: the call must not run with placeholders. */
export function argsToRun({ redact, originals }: Hiding, call: CallState): ArgsToRun | undefined {
  const { args, source } = argsInForce(call)
  if (args === undefined || source === undefined) return { args, shown: (own) => own, isRedacted: false }
  const original = originals?.of(call.id, source)
  if (original === undefined || redact === undefined) return undefined
  return { args: original, shown: (own) => withoutSecrets(redact, own), isRedacted: true }
}

/** Whether the arguments that the call runs with hold secrets. Such a call equals no other one. */
export function isRedacted(call: CallState): boolean {
  return argsInForce(call).source !== undefined
}

/** Replaced arguments, as events show them and as they are. */
export interface Replaced {
  readonly args: JsonObject
  readonly redacted?: true
  readonly original: JsonObject
}

interface Replacing {
  readonly callId: string
  readonly source: Source
  /** What a person or a hook wrote, having seen `shown`. */
  readonly given: JsonObject
  readonly shown: JsonObject
  readonly original: JsonObject
}

/**
 * Arguments that replace a call's own. A value that was left as it was shown is the original one; a placeholder
 * anywhere else is only text. Secrets in the new arguments are kept and replaced.
 */
export function replaceArgs(
  { redact, originals }: Hiding,
  { callId, source, given, shown, original }: Replacing,
): Replaced {
  const whole = restoredEntries(given, shown, original)
  const hidden = redact === undefined ? undefined : hide(redact, whole)
  if (hidden === undefined) return { args: whole, original: whole }
  originals?.keep(callId, source, whole)
  return { args: hidden, redacted: true, original: whole }
}

function restoredEntries(given: JsonObject, shown: JsonObject, original: JsonObject): JsonObject {
  // Redacting keeps the order of keys, and may change the keys themselves, even to the same key.
  const keys = Object.keys(original)
  const names = Object.keys(shown)
  const own = new Map(names.length === keys.length ? names.map((name, index) => [name, keys[index]]) : [])
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const key = own.get(name)
      const before = key === undefined ? undefined : original[key]
      const wasShown = shown[name]
      if (key === undefined || before === undefined || wasShown === undefined) return [name, value]
      return [key, restored(value, wasShown, before)]
    }),
  )
}

function restored(given: JsonValue, shown: JsonValue, original: JsonValue): JsonValue {
  if (jsonKey(given) === jsonKey(shown)) return original
  if (Array.isArray(given) && Array.isArray(shown) && Array.isArray(original)) {
    // Which items were left as they were is only sure while none was added or taken out.
    if (given.length !== shown.length || shown.length !== original.length) return given
    return given.map((each, index) => restored(each, shown[index] ?? null, original[index] ?? null))
  }
  return isObject(given) && isObject(shown) && isObject(original)
    ? restoredEntries(given, shown, original)
    : given
}
