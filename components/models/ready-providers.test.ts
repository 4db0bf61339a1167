import { describe, expect, it } from 'vitest'
import type { ProviderView } from '#lib/wire/providers'
import { noticeWords, readyProviders, signOf } from './ready-providers'

const provider = (more: Partial<ProviderView>): ProviderView => ({
  name: 'openai',
  kind: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlFrom: 'default',
  key: null,
  idleSeconds: null,
  ready: true,
  test: null,
  ...more,
})
const key = (from: 'settings' | 'environment') => ({ from, hint: 'abcd', secret: null, allowed: true })
const local = provider({ baseUrl: 'http://127.0.0.1:4010/v1', baseUrlFrom: 'environment' })
const claude = provider({ name: 'anthropic', kind: 'anthropic', label: 'Anthropic', key: key('environment') })
const ollama = provider({
  name: 'ollama',
  kind: 'openai-compatible',
  label: 'Ollama',
  baseUrlFrom: 'settings',
})

describe('providers at hand', () => {
  it('are those someone has set up and that have all they need', () => {
    expect(readyProviders([provider({}), provider({ ready: false, key: key('settings') })])).toEqual([])
    expect(readyProviders([ollama, local]).map((each) => each.name)).toEqual(['openai', 'ollama'])
  })

  it('are told by what sets them', () => {
    expect(noticeWords([local])).toEqual({
      what: 'OPENAI_BASE_URL is set:',
      where: 'http://127.0.0.1:4010/v1',
    })
    expect(noticeWords([claude]).what).toBe('ANTHROPIC_API_KEY is set.')
    expect(noticeWords([ollama]).what).toBe('Ollama is ready.')
    expect(noticeWords([local, claude, ollama]).what).toBe('OpenAI, Anthropic and Ollama are ready.')
  })

  it('are told again when they are others', () => {
    expect(signOf([local, ollama])).toBe(signOf([ollama, local]))
    expect(signOf([local])).not.toBe(signOf([{ ...local, baseUrl: 'http://127.0.0.1:4011/v1' }]))
  })
})
