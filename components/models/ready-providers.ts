/** Which providers a person could use right away, and the words for them on the first page. Pure. */

import { addressVariable, keyVariable } from '#lib/spec/variables'
import type { ProviderView } from '#lib/wire/providers'

/**
 * Providers that are ready and were set up by someone: a default address without a key does not count. Those
 * set by the environment come first.
 */
export function readyProviders(providers: readonly ProviderView[]): ProviderView[] {
  return providers
    .filter(
      (each) => each.ready && (isOfEnvironment(each) || each.key !== null || each.baseUrlFrom === 'settings'),
    )
    .toSorted((a, b) => Number(isOfEnvironment(b)) - Number(isOfEnvironment(a)))
}

function isOfEnvironment({ baseUrlFrom, key }: ProviderView): boolean {
  return baseUrlFrom === 'environment' || key?.from === 'environment'
}

/** `OPENAI_BASE_URL is set:` and the address; `OpenAI has a key.` without one. */
export function noticeWords(providers: readonly ProviderView[]): { what: string; where: string | null } {
  const [first, ...more] = providers
  if (first === undefined) return { what: '', where: null }
  if (more.length > 0)
    return { what: `${listNames(providers.map((each) => each.label))} are ready.`, where: null }
  const { name, label, baseUrl, baseUrlFrom, key } = first
  if (baseUrlFrom === 'environment') return { what: `${addressVariable(name)} is set:`, where: baseUrl }
  if (key?.from === 'environment') return { what: `${keyVariable(name)} is set.`, where: null }
  return { what: `${label} is ready.`, where: null }
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
