import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from '#lib/spec/json'
import type { KnownModel } from '#lib/wire/providers'
import {
  configOf,
  entryOf,
  groupsOf,
  isDemo,
  modelAt,
  namesOf,
  placeOf,
  sameEntry,
  shortName,
  switchBranch,
} from './entry'
import { bestGuess } from './model-names'

const catalog = [{ id: 'openai', label: 'OpenAI', help: '' }]

const known: KnownModel[] = [
  { provider: 'openai', name: 'gpt-5' },
  { provider: 'openai-compatible', endpoint: 'ollama', name: 'qwen3:8b' },
  { provider: 'openai', name: 'gpt-5-mini' },
]

describe('a model as a config names it', () => {
  it('is read from a node that says it whole, and written in the order of the config', () => {
    expect(entryOf({ provider: 'openai', name: '' })).toBe(null)
    expect(entryOf({ name: 'x' })).toBe(null)
    const entry = entryOf({ name: 'qwen3:8b', endpoint: 'ollama', provider: 'openai-compatible', topP: 1 })
    expect(entry).not.toBe(null)
    if (entry === null) return
    expect(Object.keys(configOf(entry))).toEqual(['provider', 'endpoint', 'name'])
    expect(sameEntry(entry, { provider: 'openai-compatible', endpoint: 'vllm', name: 'qwen3:8b' })).toBe(
      false,
    )
  })

  it('is called by its name, and the scripted one says that it is scripted', () => {
    expect(shortName({ provider: 'scripted', name: 'demo' })).toBe('demo (scripted)')
    expect(shortName({ provider: 'openai', name: 'gpt-5-mini' })).toBe('gpt-5-mini')
    expect(isDemo({ provider: 'scripted', name: 'script' })).toBe(false)
    expect(placeOf({ provider: 'openai' }, catalog)).toBe('OpenAI')
    expect(placeOf({ provider: 'openai-compatible', endpoint: 'ollama' }, catalog)).toBe('ollama')
    expect(placeOf({ provider: 'new' }, [{ id: 'new', label: 'New maker', help: '' }])).toBe('New maker')
  })
})

describe('known models', () => {
  it('stand grouped by where they are asked', () => {
    expect(
      groupsOf(known, catalog).map(({ label, models }) => [label, models.map((each) => each.name)]),
    ).toEqual([
      ['OpenAI', ['gpt-5', 'gpt-5-mini']],
      ['ollama', ['qwen3:8b']],
    ])
    expect(namesOf(known, { provider: 'openai-compatible', endpoint: 'ollama' })).toEqual(['qwen3:8b'])
    expect(namesOf(known, { provider: 'anthropic' })).toEqual([])
    const more: KnownModel[] = [{ provider: 'openai', name: 'dall-e-3' }, ...known]
    expect(namesOf(more, { provider: 'openai' })).toEqual(['gpt-5', 'gpt-5-mini', 'dall-e-3'])
  })
})

describe('the best guess', () => {
  it('is a model for dialogue that calls tools, and no embedding, voice or picture model', () => {
    expect(bestGuess(['dall-e-3', 'gpt-4o', 'gpt-5', 'gpt-5-mini', 'gpt-5-mini-2025-08-07'])).toBe(
      'gpt-5-mini',
    )
    expect(bestGuess(['claude-3-haiku', 'claude-opus-4-1', 'claude-sonnet-4-5'])).toBe('claude-sonnet-4-5')
    expect(bestGuess(['claude-sonnet-4-5-20250929', 'claude-sonnet-5', 'claude-sonnet-4-6'])).toBe(
      'claude-sonnet-5',
    )
    expect(bestGuess(['gpt-4.1-mini', 'gpt-5.4-mini', 'gpt-5-mini'])).toBe('gpt-5.4-mini')
    expect(bestGuess(['nomic-embed-text', 'phi4', 'qwen3:8b'])).toBe('qwen3:8b')
    expect(bestGuess(['openai/gpt-5-mini', 'google/gemini'])).toBe('openai/gpt-5-mini')
  })

  it('is the first where none is better known, and nothing where there is none', () => {
    expect(bestGuess(['some-model', 'other-model'])).toBe('some-model')
    expect(bestGuess(['text-embedding-3-small'])).toBe('text-embedding-3-small')
    expect(bestGuess([])).toBe(undefined)
  })
})

describe('another model in the same node', () => {
  const schema = toJsonSchema(
    z.discriminatedUnion('provider', [
      z.strictObject({ provider: z.literal('scripted'), name: z.enum(['demo']), paceMs: z.int() }),
      z.strictObject({
        provider: z.literal('openai'),
        name: z.string(),
        temperature: z.number().optional(),
        reasoningEffort: z.enum(['low', 'high']).optional(),
      }),
      z.strictObject({
        provider: z.literal('anthropic'),
        name: z.string(),
        temperature: z.number().optional(),
        reasoningEffort: z.enum(['min', 'max']).optional(),
      }),
    ]),
  )

  it('keeps what the other provider knows as well, and leaves nothing it does not', () => {
    const from = { provider: 'openai', name: 'gpt-5', temperature: 0.5, reasoningEffort: 'low' }
    expect(switchBranch(from, { provider: 'anthropic', name: 'claude' }, schema)).toEqual({
      provider: 'anthropic',
      name: 'claude',
      temperature: 0.5,
    })
    expect(switchBranch(from, { provider: 'openai', name: 'gpt-5-mini' }, schema)).toEqual({
      ...from,
      name: 'gpt-5-mini',
    })
  })

  it('takes the branch that was chosen, whatever tells them apart, and only what fits there', () => {
    const formats = toJsonSchema(
      z.discriminatedUnion('format', [
        z.strictObject({
          format: z.literal('native').default('native'),
          resultPlacement: z.enum(['tool_message']).default('tool_message'),
          locale: z.enum(['en', 'zh']).default('en'),
        }),
        z.strictObject({
          format: z.literal('xml'),
          resultPlacement: z.enum(['user_message', 'inline']).default('user_message'),
          locale: z.enum(['en', 'zh']).default('en'),
        }),
      ]),
    )
    const native = { format: 'native', resultPlacement: 'tool_message', locale: 'zh' }
    expect(switchBranch(native, { format: 'xml' }, formats)).toEqual({ format: 'xml', locale: 'zh' })
    expect(switchBranch({ locale: 'zh' }, { format: 'xml' }, formats)).toEqual({
      format: 'xml',
      locale: 'zh',
    })
  })

  it('keeps the name where another API of the same service is chosen, and only there', () => {
    const providers = [
      { id: 'openai', label: 'OpenAI', help: '' },
      { id: 'openai-responses', label: 'OpenAI Responses', help: '', endpoint: 'openai' },
      { id: 'anthropic', label: 'Anthropic', help: '' },
    ]
    const from = { provider: 'openai', name: 'gpt-5-nano' }
    const to = (provider: string) =>
      modelAt({ provider, held: from, schema, models: [], endpoints: [], providers })
    expect(to('openai-responses')).toEqual({ provider: 'openai-responses', name: 'gpt-5-nano' })
    expect(to('anthropic')).toEqual({ provider: 'anthropic' })
  })

  it('takes nothing of the old provider along that the new one lacks, its name included', () => {
    expect(
      switchBranch({ provider: 'scripted', name: 'demo', paceMs: 5 }, { provider: 'openai' }, schema),
    ).toEqual({ provider: 'openai' })
  })
})
