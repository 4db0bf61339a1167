import { describe, expect, test } from 'vitest'
import { addressOf, readEnvironment } from './environment'

const folders = { cwd: '/home/me', root: '/opt/loopwright' }
const read = (env: Record<string, string>) => readEnvironment(env, folders)
const fault = (env: Record<string, string>) => {
  const result = read(env)
  return result.ok ? undefined : result.error
}

describe('the environment', () => {
  test('without a word all has its default', () => {
    const value = { port: 3000, host: '127.0.0.1', dataFolder: '/opt/loopwright/data' }
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
      }),
    ).toEqual({
      ok: true,
      value: {
        port: 0,
        host: '::1',
        dataFolder: '/home/me/d',
        token: 't',
        publicOrigin: 'https://a.example.com:8443',
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
    ['LOOPWRIGHT_TOKEN', 'two words'],
    ['LOOPWRIGHT_TOKEN', 'x'.repeat(513)],
    ['LOOPWRIGHT_PUBLIC_URL', 'agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'ftp://agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://me:secret@agents.example.com'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://agents.example.com/path'],
    ['LOOPWRIGHT_PUBLIC_URL', 'https://agents.example.com/?q'],
  ])('%s=%j is refused in one sentence that names it', (name, value) => {
    const sentence = fault({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} must be [^\n]+\\.$`))
    if (name === 'LOOPWRIGHT_TOKEN') expect(sentence).not.toContain(value)
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

  test('an address can be typed into a browser', () => {
    expect(addressOf('127.0.0.1', 3000)).toBe('http://127.0.0.1:3000')
    expect(addressOf('::1', 80)).toBe('http://[::1]:80')
  })
})
