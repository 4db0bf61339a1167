import { describe, expect, test } from 'vitest'
import { limitsOf, toolLimitsOf } from './limits'
import { cut, observe, observeError } from './observe'
import { offer } from './offer'
import { createPolicy, createTool, denying } from './rig.fixture'

describe('an observation', () => {
  test('puts blocks into words: text as it is, JSON compact, tables as Markdown', () => {
    const { text } = observe(
      [
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
      ],
      1_000,
    )
    expect(text).toBe(
      'Two rows:\n| country | a\\|b |\n| --- | --- |\n| UK | 1.5 |\n| line break | null |\n{"a":[1,"x"]}\n[image art_1]',
    )
  })

  test('of nothing says so (E-36)', () => {
    expect(observe([], 20).text).toBe('(no output)')
    expect(observe([{ type: 'text', text: '' }], 20).text).toBe('(no output)')
  })

  test('of an error begins with the word (S3-12)', () => {
    expect(observeError('no such table', 100).text).toBe('Error: no such table')
  })

  test('is cut between code points, and says by how many', () => {
    expect(cut('🙂'.repeat(5), 5)).toBe('🙂'.repeat(5))
    expect(cut('🙂'.repeat(5), 3)).toBe(`${'🙂'.repeat(3)}\n... (2 more characters truncated)`)
    expect(cut('abc', 3)).toBe('abc')
    expect(cut('abcd', 3)).toBe('abc\n... (1 more characters truncated)')
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
