/** Tests of a model's extra settings, whose keys go into its requests unchanged. */
import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { anthropic } from './anthropic/anthropic'
import { openai } from './openai/openai'
import { openaiCompatible } from './openai/openai-compatible'
import { openaiResponses } from './openai/openai-responses'
import { request, service } from './wire/hear.fixture'

const silent = service(() => new Response())
const providers = { openai, openaiCompatible, openaiResponses, anthropic }
type Name = keyof typeof providers

function read(name: Name, given: JsonObject) {
  return providers[name].settings.safeParse({ name: 'm', endpoint: 'deep', ...given })
}

function bodyOf(name: Name, given: JsonObject): JsonObject {
  const { data } = read(name, given)
  return JSON.parse(providers[name].connect(data as never, silent).encode(request)) // cast: each reads its own
}

const why = { stage: 'plan', output_kind: 'sql' }
const tells: [Name, JsonObject][] = [
  ['openai', { user: 'u-17', store: true, metadata: why }],
  ['openaiCompatible', { user: 'u-17', metadata: why }],
  ['openaiResponses', { user: 'u-17', metadata: why }],
  ['anthropic', { metadata: { user_id: 'u-17' } }],
]

test.each(tells)('S2-13 S0-14 who asks, and why, goes along in every request: %s', (name, extra) => {
  expect(bodyOf(name, { extra })).toEqual({ ...bodyOf(name, {}), ...extra })
})

const all = { temperature: 0.5, topP: 0.5, maxOutputTokens: 9, reasoningEffort: 'high' } as const

test.each(tells)('S2-13 what the loop or a setting writes is refused by name: %s', (name) => {
  const thinking: JsonObject = name === 'anthropic' ? { thinkingTokens: 2_000 } : {}
  const asJson = name === 'openaiResponses' ? 'text' : 'response_format'
  const written = [
    ...Object.keys(bodyOf(name, { ...all, ...thinking })),
    ...(name === 'anthropic' ? [] : [asJson]),
  ]
  for (const key of written) {
    const found = read(name, { extra: { [key]: 1, user: 'u' } }).error?.issues
    expect(found, key).toMatchObject([{ path: ['extra', key], message: expect.stringContaining(key) }])
  }
})

test.each([
  ['openai', 'functions'],
  ['openai', 'web_search_options'],
  ['openaiCompatible', 'function_call'],
  ['openaiResponses', 'previous_response_id'],
  ['openaiResponses', 'conversation'],
  ['openaiResponses', 'prompt'],
  ['anthropic', 'mcp_servers'],
  ['anthropic', 'container'],
  ['anthropic', 'context_management'],
] as const)('S2-13 what would act unseen by trace and policies is refused: %s, %s', (name, key) => {
  expect(read(name, { extra: { [key]: [] } }).success).toBe(false)
})
