import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { took } from '#lib/spec/took.fixture'
import { formatOf } from './formats'
import { Work } from './work'

const fits = (format: string, text: string) => formatOf(format)?.(text, new Work(20_000_000))
/** The result of the validator that checked formats before. */
const fitted = (format: string, text: string) => new Validator({ format }, '2020-12').validate(text).valid

const samples: Readonly<Record<string, readonly string[]>> = {
  date: [
    '2024-02-29',
    '2023-02-29',
    '1900-02-29',
    '2000-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '20240101',
  ],
  time: [
    '12:00:00Z',
    '12:00:00',
    '23:59:60Z',
    '22:59:60Z',
    '23:59:60+00:00',
    '22:59:60-01:00',
    '00:59:60+01:00',
    '12:00:00.5z',
    '24:00:00Z',
    '12:60:00Z',
    '12:00:00+24:00',
    '12:00:00+1:00',
  ],
  'date-time': [
    '2024-01-01T00:00:00Z',
    '2024-01-01 00:00:00z',
    '2024-01-01t00:00:00+02:00',
    '2024-01-01',
    '2024-01-01T00:00:00',
  ],
  duration: [
    'P1D',
    'P1W',
    'PT1S',
    'P1Y2M3DT4H5M6S',
    'P',
    'PT',
    'P1YT',
    'P1M',
    'P1Y1D',
    'PT1H1S',
    'P1WT1S',
    'P1Y1W',
    'P12MT1M',
    'P1',
  ],
  uri: [
    'http://a.example/b?c#d',
    'urn:isbn:1',
    'mailto:a@b',
    '//a/b',
    'a',
    'http://[::1]/x',
    'http://[1::2::3]',
    'a:b"c',
    'a:b?c"d',
    'a:b#"',
    'http://a b',
    'http://a/%zz',
    'HTTP://A/%2f',
    'a:',
    '/a:b',
    'http://[v1.x]/',
    'http://u:p@h:80/',
  ],
  'uri-reference': [
    '',
    'a',
    '/a',
    '#a',
    '?b',
    '?b"',
    '#"',
    '//h/p',
    'a"b',
    'a b',
    '\\a',
    'A:b',
    'http://[::ffff:1.2.3.4]:1/',
  ],
  'uri-template': [
    '',
    'a{b}',
    'a{',
    '{+b,c*}',
    '{b:3}',
    '{b:0}',
    '{?a,b}',
    '{}',
    'a}',
    '%20{x.y}',
    '{A}',
    'É',
    '<',
  ],
  url: [
    'http://a.bc',
    'https://a.bc:80/x',
    'ftp://u:p@a.bc',
    'http://a',
    'http://10.0.0.1',
    'http://8.8.8.8',
    'http://172.15.0.1',
    'http://172.16.0.1',
    'http://192.168.1.1',
    'http://169.254.1.1',
    'http://127.0.0.1',
    'http://223.1.1.254',
    'http://224.1.1.1',
    'http://1.1.1.255',
    'http://a-b.cd',
    'http://a--b.cd',
    'http://-a.bc',
    'http://a-.bc',
    'http://a.b1',
    'http://x@y@a.bc/@',
    'http://@a.bc',
    'http://é.éé',
    'http://a.bc:1',
    'http://a.bc:123456',
    'http://a.bc/a b',
    'HTTP://A.BC',
    'http://u@/a.bc',
    'http://a.bc?x',
    'http://u/@a.bc',
    'http://😀.bc',
    'gopher://a.bc',
    'http://a..bc',
    'http://a.bc/@x',
    'http://8.8.8.8:80@a.bc',
  ],
  email: [
    'a@b',
    'a@b.c',
    '.a@b',
    'a.@b',
    'a..b@c',
    '"a b"@c',
    '"a\\"b"@c',
    '"a@c',
    'a@[1.2.3.4]',
    'a@[IPv6:::1]',
    'a@[x]',
    'a@',
    '@b',
    'a@b@c',
    'é@b',
    `${'a'.repeat(65)}@b`,
    'a@-b',
    '""@b',
    'a\n@b',
  ],
  hostname: [
    'a',
    'a.b',
    '-a',
    'a-',
    'a-b',
    '',
    'a.',
    '.a',
    'A.B',
    `${'a'.repeat(63)}.b`,
    `${'a'.repeat(64)}.b`,
    'a_b',
    'a\n',
    'xn--a',
  ],
  ipv4: ['1.2.3.4', '255.255.255.255', '256.1.1.1', '01.2.3.4', '1.2.3', '1.2.3.4.5', '001.002.003.004'],
  ipv6: [
    '::',
    '::1',
    '1::',
    '1:2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7::',
    '::1:2:3:4:5:6:7:8',
    '1::2::3',
    '::1.2.3.4',
    '1:2:3:4:5:6:1.2.3.4',
    '1.2.3.4::',
    '::01.2.3.4',
    '12345::',
    'g::',
    '1:::2',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '::ffff:255.255.255.255',
    '1::3:4:5:6:7:8',
    '1:2:3:4:5:6::1.2.3.4',
    '::1:2:3:4:5:1.2.3.4',
    '1::1:2:3:4:1.2.3.4',
  ],
  regex: ['a', '(', '\\Z', 'a\\Z', '(?=a)', '\\1', '[', 'a{1}'],
  uuid: [
    '2eb8aa08-aa98-11ea-b4aa-73b441d16380',
    '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
    '2eb8aa08aa98-11ea-b4aa-73b441d16380',
    '',
  ],
  'json-pointer': ['', '/', '/a~0', '/a~2', 'a', '/a/~1', '/é', '/\n'],
  'json-pointer-uri-fragment': ['#', '#/a', '#a', '#/%20', '#/A~0', '#/~2', '/a'],
  'relative-json-pointer': ['0', '1#', '01', '1/a', '1a', '0/~', '10/a/b', '#'],
}

describe('formats', () => {
  test.each(Object.keys(samples))('%s is what it was, by samples and by what is made of them', (format) => {
    const known = samples[format] ?? []
    for (const text of known)
      expect({ text, fits: fits(format, text) }).toEqual({ text, fits: fitted(format, text) })
    const pieces = [...known.flatMap((each) => each.split(/(?=[:./@#])|(?<=[:./@#])/)), '-', 'a', '1']
    const made = fc.array(fc.constantFrom(...pieces.filter((each) => each.length < 30)), { maxLength: 9 })
    fc.assert(
      fc.property(made, (parts) => {
        const text = parts.join('')
        expect({ text, fits: fits(format, text) }).toEqual({ text, fits: fitted(format, text) })
      }),
      { numRuns: 1000 },
    )
  })

  test('that nobody knows say nothing', () => {
    expect(formatOf('color')).toBeUndefined()
    expect(formatOf('constructor')).toBeUndefined()
  })

  test.runIf(isDeep)(
    'take no longer than in proportion for long texts @deep',
    () => {
      const long = [
        'a-',
        'a',
        '@',
        'a.',
        '/',
        '~',
        '%',
        '{a}',
        '::',
        'a@',
        '1',
        '"',
        '\\a',
        '[',
        'P1D',
        '(',
        '😀',
        'http://',
      ]
      const starts = ['', 'http://', 'a:', '"', '#', '0', 'P', '/', 'a@']
      for (const format of Object.keys(samples))
        for (const start of starts)
          for (const piece of long) {
            const text = `${start}${piece.repeat(19_000 / piece.length)}\n`
            expect(
              took(() => fits(format, text)),
              `${format}: ${start}${piece}…`,
            ).toBeLessThan(1000)
          }
    },
    120_000,
  )
})
