import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mapsBetween } from './portions'

const isEqual = (a: number, b: number) => a === b
const entries = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 })), {
  selector: ([key]) => key,
})

describe('a map that changes in portions', () => {
  it('changes at most so many entries at a time, and ends at the new map', () => {
    fc.assert(
      fc.property(entries, entries, fc.integer({ min: 1, max: 5 }), (old, next, most) => {
        const [before, after] = [new Map(old), new Map(next)]
        let last: ReadonlyMap<number, number> = before
        for (const now of mapsBetween(before, after, { most, isEqual })) {
          const keys = new Set([...last.keys(), ...now.keys()])
          const changed = [...keys].filter((key) => last.get(key) !== now.get(key)).length
          expect(changed).toBeGreaterThan(0)
          expect(changed).toBeLessThanOrEqual(most)
          last = now
        }
        expect(new Map(last)).toEqual(after)
      }),
    )
  })

  it('keeps the object of an entry that is equal', () => {
    const [same, other] = [{ at: 1 }, { at: 2 }]
    const before = new Map([
      ['a', same],
      ['b', other],
    ])
    const after = new Map([
      ['a', { at: 1 }],
      ['b', { at: 3 }],
    ])
    const [only] = mapsBetween(before, after, { most: 9, isEqual: (a, b) => a.at === b.at })
    expect(only?.get('a')).toBe(same)
    expect(only?.get('b')).toEqual({ at: 3 })
  })
})
