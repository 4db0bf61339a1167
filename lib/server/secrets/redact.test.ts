import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { createRedact, redactLog } from './redact'

describe('taking secrets out of texts', () => {
  test('T42 every known value goes, as it is, inside JSON and inside a URL', () => {
    const redact = createRedact(() => [['sk-"quoted"/and\\more'], ['plain-secret-1', 'short']])
    expect(redact('key plain-secret-1, plain-secret-1!')).toBe('key [secret], [secret]!')
    expect(redact(JSON.stringify({ key: 'sk-"quoted"/and\\more' }))).toBe('{"key":"[secret]"}')
    expect(redact(`?key=${encodeURIComponent('sk-"quoted"/and\\more')}`)).toBe('?key=[secret]')
    expect(redact('a short word')).toBe('a short word')
  })

  test('T42 no text keeps a known value, whatever the value is made of', () => {
    const value = fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 5 }), fc.string(), (values, around) => {
        const redact = createRedact(() => [values])
        for (const each of values) expect(redact(`${around} ${each}`)).toContain('[secret]')
      }),
    )
  })

  test('a longer secret that begins like a shorter one is not left half', () => {
    expect(createRedact(() => [['12345678', '12345678-and-more']])('12345678-and-more')).toBe('[secret]')
  })

  test('what is known is looked at anew, and texts are left alone while nothing is', () => {
    let known: readonly string[] = []
    const redact = createRedact(() => [known])
    expect(redact('first-secret')).toBe('first-secret')
    known = ['first-secret']
    expect(redact('first-secret')).toBe('[secret]')
    known = []
    expect(redact('first-secret')).toBe('first-secret')
  })

  test('S3-22 the log shows no secret, not even one inside of an error', () => {
    const said: unknown[][] = []
    const write = (...args: unknown[]) => void said.push(args)
    const log = { log: write, info: write, warn: write, error: write }
    redactLog(
      log,
      createRedact(() => [['hidden-value']]),
    )
    log.error('run %s:', 'run_1', new Error('refused hidden-value'))
    log.log('plain', 1)
    expect(JSON.stringify(said[0])).toContain('[secret]')
    expect(JSON.stringify(said[0])).not.toContain('hidden-value')
    expect(said[1]).toEqual(['plain', 1])
  })

  test('S3-22 inside base64 a secret goes, wherever it begins in it', () => {
    const redact = createRedact(() => [['sesame-open?>~ÿ1']])
    for (const before of ['', 'a', 'ab', 'user:']) {
      const encoded = Buffer.from(`${before}sesame-open?>~ÿ1 and more`)
      for (const alphabet of ['base64', 'base64url'] as const) {
        const told = redact(`Basic ${encoded.toString(alphabet)}`)
        expect(Buffer.from(told.slice(6).replace('[secret]', ''), alphabet).toString()).not.toContain(
          'same-op',
        )
        expect(told).toContain('[secret]')
      }
    }
  })

  test('S0-30 in pieces of any size the same text is shown as at once, with no part of a secret', () => {
    const values = ['12345678', '12345678-and-more', 'aabaabaabc', 'with "quotes"\\and/line\nends']
    const word = fc.constantFrom(...values, 'aab', '1234', '-and-', 'x', ' ', '\\', '"', '/')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(fc.nat(9), { minLength: 1 }), (words, sizes) => {
        const redact = createRedact(() => [values])
        const whole = words.join('')
        const raw = JSON.stringify({ a: whole, end: '.' })
        const show = redact.inPieces?.() ?? String
        let shown = ''
        for (let at = 0, n = 0; at < raw.length; n++) {
          const size = 1 + (sizes[n % sizes.length] ?? 0)
          shown += show(raw.slice(at, at + size))
          for (const value of values) expect(shown).not.toContain(value)
          at += size
        }
        expect(JSON.parse(shown)).toEqual({ a: redact(whole), end: '.' })
      }),
    )
  })

  test.each([
    ['\\u0073esame-open', '[secret]'],
    ['a\\/b sesame\\u002Dopen d', 'a\\/b [secret] d'],
    ['sesame-ope', ''],
    ['sesame-opera', 'sesame-opera'],
    ['\\u00', ''],
  ])('S0-30 in pieces %s is shown as "%s"', (raw, shown) => {
    const show = createRedact(() => [['sesame-open']]).inPieces?.() ?? String
    expect([...raw].map((char) => show(char)).join('')).toBe(shown)
  })

  test('costs grow with the text alone', () => {
    const values = Array.from({ length: 50 }, (_, n) => `secret-value-${n}-${'x'.repeat(20)}`)
    const redact = createRedact(() => [values])
    const long = 'secret-value-'.repeat(100_000)
    expect(took(() => expect(redact(long)).toHaveLength(1_300_000))).toBeLessThan(2_000)
    const show = redact.inPieces?.() ?? String
    expect(
      took(() => {
        for (let at = 0; at < 100_000; at += 5) show(long.slice(at, at + 5))
      }),
    ).toBeLessThan(2_000)
  })
})
