import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from '#lib/graph/diff'
import { countRows, cutLines, firstRuns } from './cut-lines'

const text = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n')

describe('a long difference', () => {
  it('shows each change with three lines round it, and counts the rest', () => {
    const lines = diffLines(text(40), text(40).replace('line 20', 'other'))
    expect(cutLines(lines).map((run) => (run.kind === 'hidden' ? run.count : run.lines.length))).toEqual([
      17, 8, 16,
    ])
  })

  it('loses no line', () => {
    const kinds = fc.constantFrom('same' as const, 'added' as const, 'removed' as const)
    fc.assert(
      fc.property(fc.array(kinds), (all) => {
        const lines = all.map((kind, index) => ({ kind, text: String(index) }))
        const runs = cutLines(lines)
        const counted = runs.reduce(
          (sum, run) => sum + (run.kind === 'hidden' ? run.count : run.lines.length),
          0,
        )
        expect(counted).toBe(lines.length)
        const shown = runs.flatMap((run) => (run.kind === 'hidden' ? [] : run.lines))
        expect(shown.filter((each) => each.kind !== 'same')).toEqual(
          lines.filter((each) => each.kind !== 'same'),
        )
      }),
    )
  })
})

it('the first lines of a difference are as many as were asked for, in their order, and the rest stays away', () => {
  const kinds = fc.constantFrom('same' as const, 'added' as const, 'removed' as const)
  fc.assert(
    fc.property(fc.array(kinds, { maxLength: 60 }), fc.integer({ min: 1, max: 80 }), (all, most) => {
      const runs = cutLines(all.map((kind, index) => ({ kind, text: String(index) })))
      const first = firstRuns(runs, most)
      expect(countRows(first)).toBe(Math.min(most, countRows(runs)))
      const linesOf = (some: typeof runs) =>
        some.flatMap((run): unknown[] => (run.kind === 'hidden' ? [run.count] : [...run.lines]))
      expect(linesOf(runs).slice(0, most)).toEqual(linesOf(first))
    }),
  )
})
