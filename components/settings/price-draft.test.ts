import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PriceRow } from '#lib/wire/settings'
import {
  cellFault,
  draftsOf,
  emptyDraft,
  findDuplicates,
  isBlank,
  rowOf,
  saveOf,
  withWanted,
} from './price-draft'

const rows: PriceRow[] = [
  { model: 'gpt-5-mini*', provider: 'openai', input: 0.25, output: 2, cached: 0.025 },
  { model: 'qwen*', input: 0, output: 0 },
]

describe('prices while they are edited', () => {
  it('come back as they were, whatever they are', () => {
    expect(draftsOf(rows).map(rowOf)).toEqual(rows)
    expect(saveOf(draftsOf(rows), rows)).toBeUndefined()
    const price = fc.double({ min: 0, max: 1_000_000, noNaN: true }).map((each) => each + 0)
    const row = fc.record(
      {
        model: fc.stringMatching(/^[a-z0-9*.-]{1,40}$/),
        input: price,
        output: price,
        cached: price,
        cacheWrite: price,
      },
      { requiredKeys: ['model', 'input', 'output'] },
    )
    fc.assert(
      fc.property(fc.array(row), (given) => {
        expect(draftsOf(given).map(rowOf)).toEqual(given)
      }),
    )
  })

  it('are not saved while a cell is wrong, and the cell says why', () => {
    const fresh = emptyDraft(draftsOf(rows))
    expect(fresh.id).toBe(2)
    expect([rowOf(fresh), isBlank(fresh), isBlank({ ...fresh, model: 'x' })]).toEqual([
      undefined,
      true,
      false,
    ])
    const typed = { ...fresh, model: 'x', input: '1,5', output: '-1' }
    expect(cellFault(typed, 'input')).toBe('“1,5” is not a number; write decimals with a point.')
    expect(cellFault(typed, 'output')).toBe('A price cannot be below 0.')
    expect(cellFault(typed, 'cached')).toBe(undefined)
    expect(cellFault(typed, 'cacheWrite')).toBe(undefined)
    expect(cellFault({ ...typed, cacheWrite: 'much' }, 'cacheWrite')).toContain('is not a number')
    expect(cellFault(fresh, 'model')).toContain('pattern')
    expect(rowOf({ ...typed, input: '$1.5', output: '2' })).toEqual({ model: 'x', input: 1.5, output: 2 })
  })

  it('are saved row by row: one with an error keeps its stored values, and a new one waits', () => {
    const [first, second] = draftsOf(rows)
    if (first === undefined || second === undefined) throw new Error('two rows are expected')
    const fresh = { ...emptyDraft([first, second]), model: 'new' }
    const changed = [{ ...first, input: 'oops' }, { ...second, input: '3' }, fresh]
    const saved = saveOf(changed, rows)
    expect(saved?.rows).toEqual([rows[0], { model: 'qwen*', input: 3, output: 0 }])
    expect(saved?.drafts[0]).toMatchObject({ input: 'oops', stored: rows[0] })
    expect(saveOf([first, fresh], rows)?.rows).toEqual([rows[0]])
    expect(saveOf([{ ...first, input: 'oops' }, second, fresh], rows)).toBeUndefined()
  })

  it('have a row for the model that somebody came for', () => {
    const drafts = draftsOf(rows)
    expect(withWanted(drafts, { model: 'qwen*', provider: '' })).toEqual({ drafts, id: 1 })
    const filled = withWanted(drafts, { model: 'qwen3', provider: 'lab' })
    expect(filled.id).toBe(2)
    expect(filled.drafts[2]).toMatchObject({ model: 'qwen3', provider: 'lab', input: '' })
  })

  it('tell of a second row for the same models', () => {
    const twice = [...draftsOf(rows), { ...emptyDraft(draftsOf(rows)), model: 'qwen*' }]
    expect([...findDuplicates(twice)]).toEqual([2])
  })
})
