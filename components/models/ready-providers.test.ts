import { describe, expect, it } from 'vitest'
import type { ProviderView } from '#lib/wire/providers'
import { noticeWords, setUpProviders, signOf } from './ready-providers'

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
    expect(setUpProviders([provider({}), provider({ ready: false, key: key('settings') })])).toEqual([])
    expect(setUpProviders([ollama, local]).map((each) => each.name)).toEqual(['openai', 'ollama'])
  })

  it('are named by what sets them until they are tested', () => {
    expect(noticeWords([local])).toEqual({
      what: 'OPENAI_BASE_URL is set:',
      where: 'http://127.0.0.1:4010/v1',
    })
    expect(noticeWords([claude]).what).toBe('ANTHROPIC_API_KEY is set.')
    expect(noticeWords([ollama]).what).toBe('Ollama is not tested yet.')
    const lab = { ...ollama, name: 'lab', label: 'lab', baseUrlFrom: 'environment' as const }
    expect(noticeWords([lab]).what).toBe('LOOPWRIGHT_ENDPOINT_LAB is set:')
  })

  it('are ready only when their last test passed', () => {
    const passed = { ok: true, models: [], message: '', at: 1, durationMs: 1 }
    const failed = (code: string) => ({ ...passed, ok: false, code })
    const words = (...providers: ProviderView[]) => noticeWords(providers).what
    expect(words({ ...ollama, test: passed })).toBe('Ollama is ready.')
    expect(words({ ...local, test: passed }, { ...claude, test: passed }, { ...ollama, test: passed })).toBe(
      'OpenAI, Anthropic and Ollama are ready.',
    )
    expect(words({ ...local, test: failed('auth') }, { ...ollama, test: passed })).toBe(
      'Ollama is ready. OpenAI refused its key.',
    )
    expect(words({ ...local, test: failed('connection') }, claude)).toBe(
      'OpenAI was not reached. Anthropic is not tested yet.',
    )
    expect(words({ ...local, test: failed('http') })).toBe('The test of OpenAI failed.')
  })

  it('are told again when they are others', () => {
    expect(signOf([local, ollama])).toBe(signOf([ollama, local]))
    expect(signOf([local])).not.toBe(signOf([{ ...local, baseUrl: 'http://127.0.0.1:4011/v1' }]))
  })
})
