import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PriceRow } from '#lib/wire/settings'
import { cellFault, draftsOf, emptyDraft, findDuplicates, rowsOfDrafts } from './price-draft'

const rows: PriceRow[] = [
  { model: 'gpt-5-mini*', provider: 'openai', input: 0.25, output: 2, cached: 0.025 },
  { model: 'qwen*', input: 0, output: 0 },
]

describe('prices while they are edited', () => {
  it('come back as they were, whatever they are', () => {
    expect(rowsOfDrafts(draftsOf(rows))).toEqual(rows)
    const price = fc.double({ min: 0, max: 1_000_000, noNaN: true }).map((each) => each + 0)
    const row = fc.record(
      { model: fc.stringMatching(/^[a-z0-9*.-]{1,40}$/), input: price, output: price, cached: price },
      { requiredKeys: ['model', 'input', 'output'] },
    )
    fc.assert(
      fc.property(fc.array(row), (given) => {
        expect(rowsOfDrafts(draftsOf(given))).toEqual(given)
      }),
    )
  })

  it('are not saved while a cell is wrong, and the cell says why', () => {
    const fresh = emptyDraft(draftsOf(rows))
    expect(fresh.id).toBe(2)
    expect(rowsOfDrafts([...draftsOf(rows), fresh])).toBe(null)
    const typed = { ...fresh, model: 'x', input: '1,5', output: '-1' }
    expect(cellFault(typed, 'input')).toBe('“1,5” is no number; a fraction is written with a point.')
    expect(cellFault(typed, 'output')).toBe('A price is not below 0.')
    expect(cellFault(typed, 'cached')).toBe(undefined)
    expect(cellFault(fresh, 'model')).toContain('pattern')
    expect(rowsOfDrafts([{ ...typed, input: '$1.5', output: '2' }])).toEqual([
      { model: 'x', input: 1.5, output: 2 },
    ])
  })

  it('tell of a second row for the same models', () => {
    const twice = [...draftsOf(rows), { ...emptyDraft(draftsOf(rows)), model: 'qwen*' }]
    expect([...findDuplicates(twice)]).toEqual([2])
  })
})
