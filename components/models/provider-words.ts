/**
 * The state of a provider in words: what it is, where its address and key come from, what its test found.
 * Pure.
 */
import { duration, plural } from '#components/run/figures'
import type { Tone } from '#components/ui/bits'
import { keyVariable } from '#lib/spec/variables'
import type { ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'

export interface ProviderState {
  readonly word: string
  readonly tone: Tone | 'warn'
  readonly icon: string
  /** What to do about it, if anything. */
  readonly advice?: string
}

export function providerState({ baseUrl, key, ready, problem, test }: ProviderView): ProviderState {
  if (baseUrl === null)
    return {
      word: 'No address',
      tone: 'line',
      icon: 'circle-minus',
      advice: problem && shortenAdvice(problem),
    }
  if (key !== null && !key.allowed)
    return {
      word: 'Key not for this address',
      tone: 'warn',
      icon: 'triangle-alert',
      advice: problem ?? `The key is not sent to ${baseUrl}. Enter the key for this address.`,
    }
  if (test !== null && !test.ok)
    return { word: failureWords[test.code ?? ''] ?? 'Test failed', tone: 'error', icon: 'circle-x' }
  if (!ready && key === null) return { word: 'No key', tone: 'line', icon: 'circle-minus' }
  if (!ready)
    return {
      word: 'Not ready',
      tone: 'line',
      icon: 'circle-minus',
      advice: problem && shortenAdvice(problem),
    }
  return test === null
    ? { word: 'Not tested yet', tone: 'line', icon: 'circle-minus' }
    : { word: 'Ready', tone: 'ok', icon: 'check' }
}

/** Whether a test failed because nothing answered at the address. */
export function isUnreached(code: string | undefined): boolean {
  return code === 'connection' || code === 'timeout' || code === 'not_found'
}

const failureWords: Readonly<Record<string, string>> = {
  connection: 'Not reached',
  timeout: 'Not reached',
  auth: 'Key refused',
}

/** Messages name the page where a problem is fixed; on that page itself they say `here`. */
function shortenAdvice(text: string): string {
  return text.replaceAll(' under Settings', ' here')
}

/** `12 models, 340 ms`, or the sentence that explains the failure. */
export function testWords({ ok, models, message, durationMs }: ProviderTest): string {
  if (!ok) return shortenAdvice(message)
  return `${models.length === 0 ? 'It answers, but lists no models' : plural(models.length, 'model')}, ${duration(durationMs)}`
}

/** Whether a person added it as an endpoint under a name of its own; the other providers always exist. */
export function isAdded({ name, kind }: Pick<ProviderView, 'name' | 'kind'>): boolean {
  return name !== kind
}

export function keyWords({ name, key }: Pick<ProviderView, 'name' | 'key'>): string {
  if (key === null) return 'no key'
  const hint = key.hint === '' ? 'a key' : `…${key.hint.replace(/^…/, '')}`
  return key.from === 'environment' ? `${hint} from ${keyVariable(name)}` : hint
}

/** The values of a provider's form while it is edited; an empty `key` keeps the saved one. */
export interface ProviderDraft {
  readonly baseUrl: string
  readonly key: string
  readonly isKeyForgotten: boolean
  readonly idleSeconds: number | undefined
  readonly promptCache: boolean
}

export function draftOf({ baseUrl, baseUrlFrom, idleSeconds, promptCache }: ProviderView): ProviderDraft {
  return {
    baseUrl: baseUrlFrom === 'default' ? '' : (baseUrl ?? ''),
    key: '',
    isKeyForgotten: false,
    idleSeconds: idleSeconds ?? undefined,
    promptCache: promptCache === true,
  }
}

/** Only the changed values: the others are kept without being sent. */
export function changesOf(draft: ProviderDraft, provider: ProviderView): SaveProvider {
  const before = draftOf(provider)
  const baseUrl = draft.baseUrl.trim()
  return {
    ...(baseUrl !== before.baseUrl && provider.baseUrlFrom !== 'environment' && { baseUrl }),
    ...(draft.key !== '' ? { key: draft.key.trim() } : draft.isKeyForgotten ? { key: '' } : {}),
    ...(draft.idleSeconds !== before.idleSeconds && { idleSeconds: draft.idleSeconds ?? null }),
    ...(draft.promptCache !== before.promptCache && { promptCache: draft.promptCache }),
  }
}

/** Why the text cannot be an address; undefined if it can, or is empty. */
export function addressFault(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^https?:\/\//i.test(typed)) return 'An address begins with http:// or https://.'
  if (!URL.canParse(typed)) return 'This is not an address.'
  if (/your-resource/i.test(typed)) return 'Replace YOUR-RESOURCE with the name of your resource.'
  const { search, hash, username } = new URL(typed)
  if (username !== '') return 'The address must not contain a name or a key; the key has its own field.'
  return search !== '' || hash !== '' ? 'The address must not contain “?” or “#”.' : undefined
}

/** The limits of the API; undefined if the value is within them or not set. */
export function idleFault(seconds: number | undefined): string | undefined {
  return seconds === undefined || (seconds >= 5 && seconds <= 3_600) ? undefined : 'From 5 to 3,600 seconds.'
}

/** A hint for a valid address without a path, which is probably unfinished; otherwise undefined. */
export function addressHint(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || addressFault(typed) !== undefined) return undefined
  return new URL(typed).pathname === '/' ? 'Most endpoints answer under a path, as in …/v1.' : undefined
}
