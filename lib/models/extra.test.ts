/** Keys of a model's settings that go into its requests as they stand. */
import { expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { anthropic } from './anthropic'
import { request, service } from './hear.fixture'
import { openai } from './openai'
import { openaiCompatible } from './openai-compatible'
import { openaiResponses } from './openai-responses'

const silent = service(() => new Response())
const providers = { openai, openaiCompatible, openaiResponses, anthropic }
const names = Object.keys(providers) as (keyof typeof providers)[] // cast: keys of the literal above

function bodyOf(name: keyof typeof providers, extra: JsonObject): JsonObject {
  const provider = providers[name]
  const settings = provider.settings.parse({ name: 'm', endpoint: 'deep', extra })
  return JSON.parse(provider.connect(settings as never, silent).encode(request)) // cast: each parses its own
}

test.each(names)('S2-13 S0-14 who asks and why go along in every request: %s', (name) => {
  const extra = { user: 'u-17', metadata: { stage: 'plan', output_kind: 'sql' } }
  expect(bodyOf(name, extra)).toEqual({ ...bodyOf(name, {}), ...extra })
})

test.each(names)('S2-13 a key that the loop sets itself is refused by name: %s', (name) => {
  const { settings } = providers[name]
  const read = settings.safeParse({ name: 'm', endpoint: 'deep', extra: { tools: [], user: 'u' } })
  expect(read.error?.issues).toMatchObject([
    { path: ['extra', 'tools'], message: expect.stringContaining('tools') },
  ])
})
