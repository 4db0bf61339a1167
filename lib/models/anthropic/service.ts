/**
 * Anthropic's service: its address, and what is known of its models as Anthropic published it. Prices are those of standard
 * requests: long prompts, batches and faster tiers cost otherwise. Models whose figures were not certain are left out.
 */
import type { Service } from '#lib/spec/model'

const prices: NonNullable<Service['prices']> = {
  'claude-fable-5-1*': [10, 50, 0.25],
  'claude-fable-5': [10, 50, 1],
  'claude-opus-5-5*': [4, 20, 0.2],
  'claude-opus-5': [5, 25, 0.5],
  'claude-opus-4-8*': [5, 25, 0.5],
  'claude-opus-4-7*': [5, 25, 0.5],
  'claude-opus-4-6*': [5, 25, 0.5],
  'claude-opus-4-5*': [5, 25, 0.5],
  'claude-sonnet-5-5*': [2, 10, 0.1],
  'claude-sonnet-5': [2, 10, 0.2],
  'claude-sonnet-4-6*': [3, 15, 0.3],
  'claude-sonnet-4-5*': [3, 15, 0.3],
  // For prompts of up to 100,000 tokens; longer ones cost five times as much.
  'claude-haiku-5-5*': [0.1, 0.5, 0.01],
  'claude-haiku-4-5*': [1, 5, 0.1],
}

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

export const service = {
  baseUrl: 'https://api.anthropic.com',
  rank: 2,
  prices,
  contextWindows,
} satisfies Service
