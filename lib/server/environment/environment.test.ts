import { describe, expect, test } from 'vitest'
import { addressOf, readEnvironment } from './environment'
import { readOutbound } from './environment-outbound'

const silence = { providers: { openai: {}, anthropic: {} }, allowHosts: [] }
const folders = { cwd: '/home/me', root: '/opt/loopwright' }
const read = (env: Record<string, string>) => readEnvironment(env, folders)
const fault = (env: Record<string, string>) => {
  const result = read(env)
  return result.ok ? undefined : result.error
}

describe('the environment', () => {
  test('without a word all has its default', () => {
    const value = {
      port: 3000,
      host: '127.0.0.1',
      dataFolder: '/opt/loopwright/data',
      paceMs: 40,
      outbound: silence,
    }
    expect(read({})).toEqual({ ok: true, value })
    expect(
      read({ PORT: '', HOST: '', LOOPWRIGHT_DATA: '', LOOPWRIGHT_TOKEN: '', LOOPWRIGHT_PUBLIC_URL: '' }),
    ).toEqual({ ok: true, value })
  })

  test('what is said is taken; a relative folder is relative to where the command was given', () => {
    expect(
      read({
        PORT: '0',
        HOST: '::1',
        LOOPWRIGHT_DATA: './d',
        LOOPWRIGHT_TOKEN: 't',
        LOOPWRIGHT_PUBLIC_URL: 'https://A.example.com:8443/',
        LOOPWRIGHT_DEMO_PACE: '0',
      }),
    ).toEqual({
      ok: true,
      value: {
        port: 0,
        host: '::1',
        dataFolder: '/home/me/d',
        token: 't',
        publicOrigin: 'https://a.example.com:8443',
        paceMs: 0,
        outbound: silence,
      },
    })
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3000x'],
    ['PORT', '1e3'],
    ['HOST', 'http://x'],
    ['HOST', 'a b'],
    ['LOOPWRIGHT_DATA', 'a\0b'],
    ['LOOPWRIGHT_LOG_STEPS', 'yes'],
    ['LOOPWRIGHT_NO_STDIO', 'true'],
    ['LOOPWRIGHT_SANDBOX', 'none'],
    ['LOOPWRIGHT_MCP_CONFIG', 'a\0b'],
    ['LOOPWRIGHT_DEMO_PACE', '-1'],
    ['LOOPWRIGHT_DEMO_PACE', 'slow'],
    ['LOOPWRIGHT_ENDPOINT_LAB', 'nowhere'],
    ['LOOPWRIGHT_ENDPOINT_LAB', 'https://me:secret@lab.example.com/v1'],
    ['LOOPWRIGHT_TOKEN', 'two words'],
    ['LOOPWRIGHT_TOKEN', 'x'.repeat(513)],
    ['LOOPWRIGHT_PUBLIC_URL', 'agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'ftp://agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://me:secret@agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://agents.example.com/path'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://agents.example.com/?q'],
    ['OPENAI_API_KEY', 'two words'],
    ['ANTHROPIC_API_KEY', 'sk-ünlikely'],
    ['OPENAI_BASE_URL', 'api.openai.com/v1'],
    ['OPENAI_BASE_URL', 'https://me:secret@api.openai.com/v1'],
    ['ANTHROPIC_BASE_URL', 'file:///etc/passwd'],
    ['ANTHROPIC_BASE_URL', 'https://api.anthropic.com/?key=1'],
    ['LOOPWRIGHT_ALLOW_HOSTS', '127.0.0.1'],
    ['LOOPWRIGHT_ALLOW_HOSTS', '127.0.0.1:8080, http://x:80'],
    ['LOOPWRIGHT_ALLOW_HOSTS', '127.0.0.1:65536'],
    ['LOOPWRIGHT_ALLOW_HOSTS', '*:80'],
  ])('%s=%j is refused in one sentence that names it', (name, value) => {
    const sentence = fault({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} must be [^\n]+\\.$`))
    if (/TOKEN|KEY/.test(name)) expect(sentence).not.toContain(value)
  })

  test.each(['0.0.0.0', '::', '192.168.1.5', 'myhost', '127.0.0.2'])(
    'T16 HOST=%s needs a long token and a public address',
    (HOST) => {
      const LOOPWRIGHT_TOKEN = 'a-token-of-16-or-more'
      const LOOPWRIGHT_PUBLIC_URL = 'https://agents.example.com'
      expect(fault({ HOST })).toContain('LOOPWRIGHT_TOKEN')
      expect(fault({ HOST, LOOPWRIGHT_PUBLIC_URL })).toContain('LOOPWRIGHT_TOKEN')
      expect(fault({ HOST, LOOPWRIGHT_TOKEN: 'short', LOOPWRIGHT_PUBLIC_URL })).toContain('at least 16')
      expect(fault({ HOST, LOOPWRIGHT_TOKEN })).toContain('LOOPWRIGHT_PUBLIC_URL')
      expect(read({ HOST, LOOPWRIGHT_TOKEN, LOOPWRIGHT_PUBLIC_URL }).ok).toBe(true)
    },
  )

  test('providers and allowed hosts are read in one form, by the server and the command line alike', () => {
    const env = {
      OPENAI_API_KEY: ' sk-1 ',
      OPENAI_BASE_URL: 'HTTPS://Proxy.example.com/v1/',
      ANTHROPIC_API_KEY: '',
      LOOPWRIGHT_ALLOW_HOSTS: 'LocalHost:8080, [::1]:80 10.0.0.5:443,localhost:8080',
    }
    const outbound = {
      providers: { openai: { key: 'sk-1', baseUrl: 'https://proxy.example.com/v1' }, anthropic: {} },
      allowHosts: ['localhost:8080', '::1:80', '10.0.0.5:443'],
    }
    expect(readOutbound(env)).toEqual({ ok: true, value: outbound })
    expect(read(env)).toMatchObject({ ok: true, value: { outbound } })
    expect(readOutbound({ OPENAI_BASE_URL: 'x' })).toMatchObject({ ok: false })
  })

  test('an added endpoint has an address, and a key where its variable is set', () => {
    const env = {
      LOOPWRIGHT_ENDPOINT_LM_STUDIO: 'http://127.0.0.1:1234/v1/',
      LM_STUDIO_API_KEY: 'k',
      LOOPWRIGHT_ENDPOINT_NONE: '',
    }
    expect(readOutbound(env)).toMatchObject({
      ok: true,
      value: {
        providers: { ...silence.providers, 'lm-studio': { baseUrl: 'http://127.0.0.1:1234/v1', key: 'k' } },
      },
    })
    expect(readOutbound({ LOOPWRIGHT_ENDPOINT_OPENAI: 'http://127.0.0.1:1/v1' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('Set OPENAI_BASE_URL, or use another name.'),
    })
    expect(readOutbound({ LOOPWRIGHT_ENDPOINT_A__B: 'http://127.0.0.1:1/v1' })).toMatchObject({ ok: false })
  })

  test('an address can be typed into a browser', () => {
    expect(addressOf('127.0.0.1', 3000)).toBe('http://127.0.0.1:3000')
    expect(addressOf('::1', 80)).toBe('http://[::1]:80')
  })
})
