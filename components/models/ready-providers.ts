/** Which providers a person has set up, and the words for them on the first page. Pure. */

import { addressVariable, endpointVariable, keyVariable } from '#lib/spec/variables'
import type { ProviderView } from '#lib/wire/providers'
import { isUnreached } from './provider-words'

/**
 * Providers that someone has set up completely: a default address without a key does not count. Those set by the
 * environment come first. Whether they answer is what their last test says.
 */
export function setUpProviders(providers: readonly ProviderView[]): ProviderView[] {
  return providers
    .filter(
      (each) => each.ready && (isOfEnvironment(each) || each.key !== null || each.baseUrlFrom === 'settings'),
    )
    .toSorted((a, b) => Number(isOfEnvironment(b)) - Number(isOfEnvironment(a)))
}

function isOfEnvironment({ baseUrlFrom, key }: ProviderView): boolean {
  return baseUrlFrom === 'environment' || key?.from === 'environment'
}

/**
 * `OpenAI and lab are ready.`, `OpenAI refused its key.`, `OPENAI_BASE_URL is set:` and the address. A provider is
 * ready once it has passed its test.
 */
export function noticeWords(providers: readonly ProviderView[]): { what: string; where: string | null } {
  const [first, ...more] = providers
  if (first !== undefined && more.length === 0 && first.test === null) return untestedWords(first)
  const ready = providers.filter(({ test }) => test?.ok === true)
  const sentences = [
    ...(ready.length === 0
      ? []
      : [`${listNames(labelsOf(ready))} ${ready.length === 1 ? 'is' : 'are'} ready.`]),
    ...providers.flatMap(({ label, test }) => (test?.ok === false ? [failureWords(label, test.code)] : [])),
    ...untestedSentence(providers.filter(({ test }) => test === null)),
  ]
  return { what: sentences.slice(0, mostNames).join(' '), where: null }
}

function untestedWords({ name, label, kind, baseUrl, baseUrlFrom, key }: ProviderView) {
  const address = name === kind ? addressVariable(name) : endpointVariable(name)
  if (baseUrlFrom === 'environment') return { what: `${address} is set:`, where: baseUrl }
  if (key?.from === 'environment') return { what: `${keyVariable(name)} is set.`, where: null }
  return { what: `${label} is not tested yet.`, where: null }
}

function untestedSentence(providers: readonly ProviderView[]): string[] {
  if (providers.length === 0) return []
  return [`${listNames(labelsOf(providers))} ${providers.length === 1 ? 'is' : 'are'} not tested yet.`]
}

function labelsOf(providers: readonly ProviderView[]): string[] {
  return providers.map((each) => each.label)
}

function failureWords(label: string, code: string | undefined): string {
  if (code === 'auth') return `${label} refused its key.`
  return isUnreached(code) ? `${label} was not reached.` : `The test of ${label} failed.`
}

const mostNames = 3

function listNames(names: readonly string[]): string {
  if (names.length > mostNames) return `${names[0]} and ${names.length - 1} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Changes when another provider or address is available. */
export function signOf(providers: readonly ProviderView[]): string {
  return providers
    .map(({ name, baseUrl }) => `${name} ${baseUrl}`)
    .toSorted()
    .join('\n')
}
