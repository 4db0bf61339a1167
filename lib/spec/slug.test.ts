import { describe, expect, it } from 'vitest'
import { freeName, slugOf } from './slug'

describe('a name made from what a person types', () => {
  it.each([
    ['Revenue report', 'revenue-report'],
    ['  Zürich: Q3/Q4! ', 'zurich-q3-q4'],
    ['报告', ''],
    ['a'.repeat(80), 'a'.repeat(64)],
  ])('“%s” becomes “%s”', (title, slug) => {
    expect(slugOf(title)).toBe(slug)
  })
})

describe('a free name', () => {
  it('counts on from the same stem', () => {
    expect(freeName('retail', new Set())).toBe('retail')
    expect(freeName('retail', new Set(['retail']))).toBe('retail-2')
    expect(freeName('retail-2', new Set(['retail', 'retail-2']))).toBe('retail-3')
    expect(freeName('policy-2026', new Set(['policy-2026']))).toBe('policy-2026-2')
  })

  it('stays within the length that a name may have', () => {
    const long = 'a'.repeat(64)
    expect(freeName(long, new Set([long])).length).toBeLessThanOrEqual(64)
    const cut = `${'a'.repeat(57)}-bcdef`
    expect(freeName(cut, new Set([cut]))).toBe(`${'a'.repeat(57)}-2`)
  })
})
