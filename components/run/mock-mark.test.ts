import { expect, it } from 'vitest'
import { lostMocks, mockedWords } from './mock-mark'

it('issue 18.8 names the mocked tools, and those that the run does not have', () => {
  const mocks = [
    { tool: 'prices.lookup', kind: 'fixed' },
    { tool: 'no.longer', kind: 'echo' },
    { tool: 'held.back', kind: 'failing' },
  ] as const
  expect(mockedWords(mocks.slice(0, 1))).toBe('Mocked tool: prices.lookup (fixed)')
  expect(mockedWords(mocks)).toContain('Mocked tools: prices.lookup (fixed), no.longer (echo)')
  const offered = [{ name: 'prices.lookup', node: 'tools/0' }]
  const withheld = [{ name: 'held.back', entry: 'tools/0', policy: 'skills', node: 'policies/0', reason: '' }]
  expect(lostMocks({ mocks })).toEqual([])
  expect(lostMocks({ mocks, tools: { offered, withheld } })).toEqual(['no.longer'])
})
