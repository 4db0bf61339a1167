/**
 * OpenAI's service: its address, and what is known of its models as OpenAI published it. Prices are those of standard
 * requests: long prompts, batches and faster tiers cost otherwise. From GPT-5.6 on, writing to the cache has a price, which
 * comes last. Models whose figures were not certain are left out.
 */
import type { Service } from '#lib/spec/model'

const prices: NonNullable<Service['prices']> = {
  'gpt-6-astra*': [10, 50, 1, 12.5],
  'gpt-6.1-sol*': [2, 10, 0.1, 2.5],
  'gpt-6-sol*': [2, 10, 0.2, 2.5],
  'gpt-6.1-terra*': [1, 5, 0.05, 1.25],
  'gpt-6-luna*': [0.1, 0.5, 0.01, 0.125],
  'gpt-5.6-sol*': [4, 20, 0.4, 5],
  'gpt-5.6-terra*': [2, 12, 0.2, 2.5],
  'gpt-5.6-luna*': [0.2, 1.2, 0.02, 0.25],
  'gpt-5.5': [5, 30, 0.5],
  'gpt-5.5-pro*': [30, 180],
  'gpt-5.4': [2.5, 15, 0.25],
  'gpt-5.4-mini*': [0.75, 4.5, 0.075],
  'gpt-5.4-nano*': [0.2, 1.25, 0.02],
  'gpt-5.4-pro*': [30, 180],
  'gpt-5.2': [1.75, 14, 0.175],
  'gpt-5.2-pro*': [21, 168],
  'gpt-5.1': [1.25, 10, 0.125],
  'gpt-5': [1.25, 10, 0.125],
  'gpt-5-mini*': [0.25, 2, 0.025],
  'gpt-5-nano*': [0.05, 0.4, 0.005],
  'gpt-4.1': [2, 8, 0.5],
  'gpt-4.1-mini*': [0.4, 1.6, 0.1],
  'gpt-4.1-nano*': [0.1, 0.4, 0.025],
  'gpt-4o': [2.5, 10, 1.25],
  'gpt-4o-mini': [0.15, 0.6, 0.075],
}

const contextWindows: NonNullable<Service['contextWindows']> = {
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

const seesPictures: NonNullable<Service['seesPictures']> = {
  'gpt-4o*': true,
  'gpt-4o*audio*': false,
  'gpt-4.1*': true,
  'gpt-4-turbo*': true,
  'chatgpt-4o*': true,
  'gpt-5*': true,
  'gpt-6*': true,
  'o1*': true,
  'o1-mini*': false,
  'o1-preview*': false,
  'o3*': true,
  'o3-mini*': false,
  'o4-mini*': true,
}

export const service = {
  baseUrl: 'https://api.openai.com/v1',
  rank: 1,
  usualPath: '/v1',
  prices,
  contextWindows,
  seesPictures,
} satisfies Service
