import { describe, expect, it } from 'vitest'
import type { ProviderTest, ProviderView } from '#lib/wire/providers'
import {
  addressFault,
  addressHint,
  changesOf,
  draftOf,
  keyWords,
  providerState,
  testWords,
} from './provider-words'

const provider = (more: Partial<ProviderView> = {}): ProviderView => ({
  name: 'openai',
  kind: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  baseUrlFrom: 'default',
  key: null,
  idleSeconds: null,
  ready: false,
  test: null,
  ...more,
})
const tested = (more: Partial<ProviderTest> = {}): ProviderTest => ({
  ok: true,
  models: ['a', 'b'],
  message: '',
  at: 1,
  durationMs: 340,
  ...more,
})
const key = { from: 'settings' as const, hint: 'abcd', secret: 'OPENAI_API_KEY', allowed: true }

describe('how a provider stands', () => {
  it('is one word: what it lacks, what its test found, or that it is ready', () => {
    const word = (more: Partial<ProviderView>) => providerState(provider(more)).word
    expect(word({})).toBe('No key')
    expect(word({ baseUrl: null })).toBe('No address')
    expect(word({ key, ready: true })).toBe('Not tested yet')
    expect(word({ key, ready: true, test: tested() })).toBe('Ready')
    expect(word({ key: { ...key, allowed: false }, ready: true })).toBe('Key not for this address')
    const failed = (code?: string) =>
      word({ key, ready: true, test: tested({ ok: false, ...(code !== undefined && { code }) }) })
    expect(failed('connection')).toBe('Not reached')
    expect(failed('auth')).toBe('Key refused')
    expect(failed()).toBe('Test failed')
  })

  it('says to mend here what is told elsewhere to be mended under Settings', () => {
    const message = 'There is no key for OpenAI. Enter one under Settings, or set OPENAI_API_KEY.'
    expect(testWords(tested({ ok: false, message }))).toBe(
      'There is no key for OpenAI. Enter one here, or set OPENAI_API_KEY.',
    )
    const { advice } = providerState(provider({ baseUrl: 'http://a/v1', key, problem: message }))
    expect(advice).toContain('Enter one here')
  })

  it('says what a test found in one line', () => {
    expect(testWords(tested())).toBe('2 models, 340 ms')
    expect(testWords(tested({ models: ['a'] }))).toBe('1 model, 340 ms')
    expect(testWords(tested({ models: [] }))).toBe('It answers, but lists no models, 340 ms')
    expect(testWords(tested({ ok: false, message: 'No.' }))).toBe('No.')
  })

  it('shows a key by its end alone, and where it comes from', () => {
    expect(keyWords({ name: 'openai', key: null })).toBe('no key')
    expect(keyWords({ name: 'openai', key })).toBe('…abcd')
    expect(keyWords({ name: 'openai', key: { ...key, from: 'environment' } })).toBe(
      '…abcd from OPENAI_API_KEY',
    )
    expect(keyWords({ name: 'openai', key: { ...key, hint: '' } })).toBe('a key')
  })
})

describe('what is saved of a provider', () => {
  it('is only what was changed', () => {
    const standing = provider({ baseUrl: 'http://a/v1', baseUrlFrom: 'settings', key })
    const draft = draftOf(standing)
    expect(changesOf(draft, standing)).toEqual({})
    expect(changesOf({ ...draft, key: ' sk-1 ' }, standing)).toEqual({ key: 'sk-1' })
    expect(changesOf({ ...draft, isKeyForgotten: true }, standing)).toEqual({ key: '' })
    expect(changesOf({ ...draft, baseUrl: '' }, standing)).toEqual({ baseUrl: '' })
    expect(changesOf({ ...draft, idleSeconds: 300 }, standing)).toEqual({ idleSeconds: 300 })
    expect(changesOf({ ...draft, idleSeconds: undefined }, provider({ idleSeconds: 300 }))).toMatchObject({
      idleSeconds: null,
    })
  })

  it('switches the prompt cache of an endpoint on and off', () => {
    const off = provider({})
    const on = provider({ promptCache: true })
    expect([draftOf(off).promptCache, draftOf(on).promptCache]).toEqual([false, true])
    expect(changesOf({ ...draftOf(off), promptCache: true }, off)).toEqual({ promptCache: true })
    expect(changesOf({ ...draftOf(on), promptCache: false }, on)).toEqual({ promptCache: false })
    expect(changesOf(draftOf(on), on)).toEqual({})
  })

  it('never holds an address that the environment decides', () => {
    const standing = provider({ baseUrl: 'http://a/v1', baseUrlFrom: 'environment' })
    expect(changesOf({ ...draftOf(standing), baseUrl: 'http://b/v1' }, standing)).toEqual({})
  })
})

describe('an address', () => {
  it('is told to be none before it is sent', () => {
    expect(addressFault('')).toBe(undefined)
    expect(addressFault('http://127.0.0.1:11434/v1')).toBe(undefined)
    expect(addressFault('127.0.0.1:11434')).toContain('http://')
    expect(addressFault('http://')).toBe('This is not an address.')
    expect(addressFault('https://me:pass@host/v1')).toContain('key')
    expect(addressFault('https://host/v1?key=1')).toContain('“?”')
  })

  it('without a path is likely unfinished', () => {
    expect(addressHint('http://127.0.0.1:11434')).toContain('/v1')
    expect(addressHint('http://127.0.0.1:11434/v1')).toBe(undefined)
  })
})
