/** How a provider stands, in words: one state, where its address and key come from, what its test found. Pure. */
import { duration, plural } from '#components/run/figures'
import type { Tone } from '#components/ui/bits'
import { keyVariable } from '#lib/spec/variables'
import type { ProviderTest, ProviderView, SaveProvider } from '#lib/wire/providers'

export interface ProviderState {
  readonly word: string
  readonly tone: Tone | 'warn'
  readonly icon: string
  /** What to do about it, where there is something. */
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
      advice: problem ?? `The key is not sent to ${baseUrl}: type the key that belongs to this address.`,
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
    ? { word: 'Ready, not tested', tone: 'line', icon: 'circle-check' }
    : { word: 'Ready', tone: 'ok', icon: 'check' }
}

const failureWords: Readonly<Record<string, string>> = {
  connection: 'Not reached',
  timeout: 'Not reached',
  auth: 'Key refused',
}

/** Messages say where a thing is mended; whoever reads them there is told so. */
function shortenAdvice(text: string): string {
  return text.replaceAll(' under Settings', ' here')
}

/** `12 models, 340 ms`, or the sentence of what is wrong. */
export function testWords({ ok, models, message, durationMs }: ProviderTest): string {
  if (!ok) return shortenAdvice(message)
  return `${models.length === 0 ? 'It answers, and lists no models' : plural(models.length, 'model')}, ${duration(durationMs)}`
}

/** An endpoint that a person has added, under a name of its own; the others are always there. */
export function isAdded({ name, kind }: Pick<ProviderView, 'name' | 'kind'>): boolean {
  return name !== kind
}

export function keyWords({ name, key }: Pick<ProviderView, 'name' | 'key'>): string {
  if (key === null) return 'no key'
  const hint = key.hint === '' ? 'a key' : `…${key.hint.replace(/^…/, '')}`
  return key.from === 'environment' ? `${hint} from ${keyVariable(name)}` : hint
}

/** What a form of a provider holds while it is edited; empty text in `key` keeps what stands. */
export interface ProviderDraft {
  readonly baseUrl: string
  readonly key: string
  readonly isKeyForgotten: boolean
  readonly idleSeconds: number | undefined
}

export function draftOf({ baseUrl, baseUrlFrom, idleSeconds }: ProviderView): ProviderDraft {
  return {
    baseUrl: baseUrlFrom === 'default' ? '' : (baseUrl ?? ''),
    key: '',
    isKeyForgotten: false,
    idleSeconds: idleSeconds ?? undefined,
  }
}

/** Only what differs from what stands: the rest is kept without being sent. */
export function changesOf(draft: ProviderDraft, provider: ProviderView): SaveProvider {
  const before = draftOf(provider)
  const baseUrl = draft.baseUrl.trim()
  return {
    ...(baseUrl !== before.baseUrl && provider.baseUrlFrom !== 'environment' && { baseUrl }),
    ...(draft.key !== '' ? { key: draft.key.trim() } : draft.isKeyForgotten ? { key: '' } : {}),
    ...(draft.idleSeconds !== before.idleSeconds && { idleSeconds: draft.idleSeconds ?? null }),
  }
}

/** Why an address can not be one; undefined when it may be, or is empty. */
export function addressFault(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  if (!/^https?:\/\//i.test(typed)) return 'An address begins with http:// or https://.'
  if (!URL.canParse(typed)) return 'This is no address.'
  const { search, hash, username } = new URL(typed)
  if (username !== '') return 'A name or key does not stand in the address; the key has its own field.'
  return search !== '' || hash !== '' ? 'An address ends before “?” and “#”.' : undefined
}

/** As the API takes it; undefined when it may be, or nothing is set. */
export function idleFault(seconds: number | undefined): string | undefined {
  return seconds === undefined || (seconds >= 5 && seconds <= 3_600) ? undefined : 'From 5 to 3,600 seconds.'
}

/** What stays empty takes the service's own; an address without a path is likely unfinished. */
export function addressHint(text: string): string | undefined {
  const typed = text.trim()
  if (typed === '' || addressFault(typed) !== undefined) return undefined
  return new URL(typed).pathname === '/' ? 'Most endpoints answer under a path, as in …/v1.' : undefined
}
