/** How many tokens models take in one request, as their providers published it; a model that is not certain is left out. */
import { matchesGlob } from '#lib/spec/glob'
import { homeOf } from './homes'
import type { Priced } from './prices'

type Windows = Readonly<Record<string, number>>

/** By pattern; of those that fit, the longest counts. */
const openai: Windows = {
  'gpt-5': 400_000,
  'gpt-5-*': 400_000,
  'gpt-5.1*': 400_000,
  'gpt-5.2*': 400_000,
  'gpt-5*-chat*': 128_000,
  'gpt-5.4': 1_050_000,
  'gpt-5.4-20*': 1_050_000,
  'gpt-5.4-pro*': 1_050_000,
  'gpt-5.5': 1_050_000,
  'gpt-5.5-20*': 1_050_000,
  'gpt-5.5-pro*': 1_050_000,
  'gpt-4.1*': 1_047_576,
  'gpt-4o*': 128_000,
  'gpt-4-turbo*': 128_000,
  'o1*': 200_000,
  'o1-mini*': 128_000,
  'o1-preview*': 128_000,
  'o3*': 200_000,
  'o4-mini*': 200_000,
}

const anthropic: Windows = {
  'claude-fable-5*': 1_000_000,
  'claude-opus-5*': 1_000_000,
  'claude-opus-4-8*': 1_000_000,
  'claude-opus-4-7*': 1_000_000,
  'claude-opus-4-6*': 1_000_000,
  'claude-sonnet-5*': 1_000_000,
  'claude-sonnet-4-6*': 1_000_000,
  'claude-haiku-5-5*': 1_000_000,
  'claude-*-4-*': 200_000,
  'claude-3*': 200_000,
}

const services: Readonly<Record<string, Windows>> = { openai, anthropic }

/** Null where it is not known, as for every model at an added endpoint: whoever runs it there decides. */
export function contextWindowOf({ provider, model }: Priced): number | null {
  const fitting = Object.entries(services[homeOf(provider)] ?? {}).filter(([pattern]) =>
    matchesGlob(pattern, model),
  )
  const [first, ...rest] = fitting
  if (first === undefined) return null
  return rest.reduce((best, each) => (each[0].length > best[0].length ? each : best), first)[1]
}
