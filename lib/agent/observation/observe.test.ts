import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { limitsOf, toolLimitsOf } from '../limits'
import { offer } from '../request/offer'
import { createPolicy, createTool, denying } from '../rig.fixture'
import { withoutBlobs } from './blobs'
import { cut, headAndTail, messageOf, observe, observeError, shortenObservation } from './observe'

describe('an observation', () => {
  test('puts blocks into words: text as it is, JSON compact, tables as Markdown, images by name (E-46, S0-04)', () => {
    const { text } = observe([
      { type: 'text', text: 'Two rows:' },
      {
        type: 'table',
        columns: ['country', 'a|b'],
        rows: [
          ['UK', 1.5],
          ['line\nbreak', null],
        ],
      },
      { type: 'json', value: { a: [1, 'x'] } },
      { type: 'image', artifact: 'art_1' },
    ])
    expect(text).toBe(
      'Two rows:\n| country | a\\|b |\n| --- | --- |\n| UK | 1.5 |\n| line break | null |\n{"a":[1,"x"]}\n[image art_1]',
    )
  })

  test('of nothing says so (E-36)', () => {
    expect(observe([]).text).toBe('(no output)')
    expect(observe([{ type: 'text', text: '' }]).text).toBe('(no output)')
  })

  test('of an error begins with the word (S3-12)', () => {
    expect(observeError('no such table').text).toBe('Error: no such table')
  })

  test('is cut between code points, and says by how many (S3-13)', () => {
    expect(cut('🙂'.repeat(5), 5)).toBe('🙂'.repeat(5))
    expect(cut('🙂'.repeat(5), 3)).toBe(`${'🙂'.repeat(3)}\n... (2 more characters truncated)`)
    expect(cut('abc', 3)).toBe('abc')
    expect(cut('abcd', 3)).toBe('abc\n... (1 more characters truncated)')
  })

  test('keeps head and tail together as long as allowed, and names what has the whole (E-45)', () => {
    const text = headAndTail(`${'🙂'.repeat(50)}${'é'.repeat(50)}`, 12, 'the whole is artifact art_7')
    expect(text).toBe(
      `${'🙂'.repeat(9)}\n[… 88 characters left out; the whole is artifact art_7 …]\n${'é'.repeat(3)}`,
    )
    expect(headAndTail('🙂🙂', 2, 'art_7')).toBe('🙂🙂')
    expect(headAndTail('ab🙂', 1, 'art_7').startsWith('a\n[… 2 characters')).toBe(true)
  })

  test('head and tail are whole code points at any length (E-45)', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, most) => {
          const points = [...text]
          const shown = headAndTail(text, most, 'a')
          if (points.length <= most) {
            expect(shown).toBe(text)
            return
          }
          const tail = Math.floor(most / 4)
          const end = tail === 0 ? '' : points.slice(-tail).join('')
          expect(shown.startsWith(`${points.slice(0, most - tail).join('')}\n[…`)).toBe(true)
          expect(shown.endsWith(`…]\n${end}`)).toBe(true)
        },
      ),
    )
  })

  test('of what broke off says at its end why, however much came before (S4-31, E-41)', () => {
    const whole = observeError('it broke', [{ type: 'text', text: 'x'.repeat(100) }])
    expect(whole.text).toBe(`${'x'.repeat(100)}\nError: it broke`)
    expect(shortenObservation(whole, 30).text).toBe(
      `${'x'.repeat(15)}\n... (85 more characters truncated)\nError: it broke`,
    )
    expect(shortenObservation(whole, 5).text).toMatch(/^Error\n/)
    expect(shortenObservation(whole, 1_000)).toEqual({ blocks: whole.blocks, text: whole.text })
  })
})

describe('limits', () => {
  const smallest = (max: number) =>
    createPolicy('steps', 'policies/0', {
      limit(limits) {
        if (max < limits.maxSteps) limits.maxSteps = max
      },
    })
  const table: [number[], number][] = [
    [[], 10],
    [[50], 50],
    [[50, 3], 3],
    [[3, 50], 3],
  ]
  test.each(table)('of steps %j are %i: the smallest said, else the default', (said, expected) => {
    expect(limitsOf(said.map(smallest)).maxSteps).toBe(expected)
  })

  test('of a tool come from the policies that cover its name before any rename', () => {
    const policy = createPolicy('results', 'policies/0', {
      appliesTo: ['sql.*'],
      limitTool(limits) {
        limits.maxChars = Math.min(limits.maxChars, 20_000)
      },
    })
    const renamed = { ...createTool('query'), scopeName: 'sql.execute' }
    expect(toolLimitsOf([policy], renamed).maxChars).toBe(20_000)
    expect(toolLimitsOf([policy], createTool('query')).maxChars).toBe(10_000)
  })
})

test('an offer names what it withholds and why, and of two tools with one name the first stands', () => {
  const first = createTool('look')
  const second = createTool('look', { node: 'tools/1' })
  const drop = createTool('drop', { node: 'tools/2' })
  const { offered, withheld } = offer([first, second, drop], [denying('drop')])
  expect(offered).toEqual([first])
  expect(withheld).toEqual([
    { name: 'drop', entry: 'tools/2', policy: 'skills', node: 'policies/0', reason: 'skills denies drop' },
  ])
})

describe('encoded bytes (E-45)', () => {
  const bytes = btoa(
    Array.from({ length: 6_000 }, (_, index) => String.fromCharCode((index * 89) % 256)).join(''),
  )

  test('are named by their length, wherever they stand, wrapped or not', () => {
    expect(withoutBlobs(`src="data:image/png;base64,${bytes}" alt`)).toBe(
      `src="data:image/png;base64,[… ${bytes.length} characters of base64 left out]" alt`,
    )
    const wrapped = (bytes.match(/.{1,76}/g) ?? []).join('\n')
    expect(withoutBlobs(`begin\n${wrapped}\nend of it`)).toBe(
      `begin\n[… ${wrapped.length} characters of base64 left out]\nend of it`,
    )
  })

  test.each([
    ['short ones', bytes.slice(0, 4_000)],
    ['a long word', 'x'.repeat(50_000)],
    ['prose', 'A line of 12 words.\n'.repeat(2_000)],
    ['hex', 'deadbeef01'.repeat(1_000)],
    ['short lines', 'Abc123\n'.repeat(2_000)],
  ])('%s are left as they are', (_, text) => {
    expect(withoutBlobs(text)).toBe(text)
  })

  test('are looked for in one pass', () => {
    const ms = took(() => {
      withoutBlobs('x'.repeat(1_000_000))
      withoutBlobs(`${'Ab1'.repeat(20)} `.repeat(16_000))
      withoutBlobs(`${'Ab1'.repeat(25)}\n`.repeat(12_000))
    })
    expect(ms).toBeLessThan(2_000)
  })
})

test('a secret that the cut of a long error would leave half is taken out before (E-47)', () => {
  const thrown = new Error(`${'x'.repeat(995)}sk-secret`)
  const said = messageOf(thrown, 'look', (text) => text.replaceAll('sk-secret', '[secret]'))
  expect(said).toMatch(/^Tool look Error\. x{995}\[secr$/)
})
