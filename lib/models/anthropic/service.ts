/**
 * Anthropic's service: its address, and what is known of its models as Anthropic published it. Prices are those of standard
 * requests: long prompts, batches and faster tiers cost otherwise. The last price is that of
 * writing to the cache for five minutes. Models whose figures were not certain are left out.
 */
import type { Service } from '#lib/spec/model'

const prices: NonNullable<Service['prices']> = {
  'claude-fable-5-1*': [10, 50, 0.25, 12.5],
  'claude-fable-5': [10, 50, 1, 12.5],
  'claude-opus-5-5*': [4, 20, 0.2, 5],
  'claude-opus-5': [5, 25, 0.5, 6.25],
  'claude-opus-4-8*': [5, 25, 0.5, 6.25],
  'claude-opus-4-7*': [5, 25, 0.5, 6.25],
  'claude-opus-4-6*': [5, 25, 0.5, 6.25],
  'claude-opus-4-5*': [5, 25, 0.5, 6.25],
  'claude-sonnet-5-5*': [2, 10, 0.1, 2.5],
  'claude-sonnet-5': [2, 10, 0.2, 2.5],
  'claude-sonnet-4-6*': [3, 15, 0.3, 3.75],
  'claude-sonnet-4-5*': [3, 15, 0.3, 3.75],
  // For prompts of up to 100,000 tokens; longer ones cost five times as much.
  'claude-haiku-5-5*': [0.1, 0.5, 0.01, 0.125],
  'claude-haiku-4-5*': [1, 5, 0.1, 1.25],
}

/**
 * The shortest beginning, in tokens, that each model caches; of the patterns that fit, the longest counts. Where nothing
 * is known it is `usualCacheMinimum`: a mark on a shorter beginning has no effect and costs nothing.
 */
export const cacheMinimums: Readonly<Record<string, number>> = {
  'claude-fable-5*': 512,
  'claude-opus-5*': 512,
  'claude-opus-4-7*': 2_048,
  'claude-opus-4-6*': 4_096,
  'claude-opus-4-5*': 4_096,
  'claude-haiku-4-5*': 4_096,
  'claude-3-5-haiku*': 2_048,
  'claude-3-haiku*': 2_048,
}
export const usualCacheMinimum = 1_024

const contextWindows: NonNullable<Service['contextWindows']> = {
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

const seesPictures: NonNullable<Service['seesPictures']> = {
  'claude-*': true,
  'claude-2*': false,
  'claude-instant*': false,
}

export const service = {
  baseUrl: 'https://api.anthropic.com',
  rank: 2,
  prices,
  contextWindows,
  seesPictures,
} satisfies Service
