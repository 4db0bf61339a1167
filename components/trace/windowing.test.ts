import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from './row'
import { openHeight, place, rowHeight, seen } from './windowing'

function rowsNamed(amount: number): Row[] {
  return Array.from({ length: amount }, (_, index) => ({
    id: `row-${index}`,
    kind: 'call',
    depth: 1,
    step: 1,
    title: '',
    detail: '',
    tone: 'plain',
    bar: null,
    tokens: null,
    cost: null,
    ms: null,
  }))
}

describe('windowing', () => {
  it('stacks rows without gap, an opened one taller', () => {
    const { items, height } = place(rowsNamed(3), new Set(['row-1']))
    expect(items.map((each) => each.top)).toEqual([0, rowHeight, 2 * rowHeight + openHeight])
    expect(items.map((each) => each.isOpen)).toEqual([false, true, false])
    expect(height).toBe(3 * rowHeight + openHeight)
  })

  it('draws every row of which any part is in view, wherever one scrolls', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.uniqueArray(fc.integer({ min: 0, max: 399 }), { maxLength: 20 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 0, max: 1_000 }),
        (amount, opened, top, height) => {
          const { items } = place(rowsNamed(amount), new Set(opened.map((each) => `row-${each}`)))
          const drawn = new Set(seen(items, { top, height }).map((each) => each.index))
          for (const each of items) {
            const end = each.top + rowHeight + (each.isOpen ? openHeight : 0)
            if (end > top && each.top < top + height) expect(drawn.has(each.index)).toBe(true)
          }
        },
      ),
    )
  })

  it('draws a window of a long list, not the list', () => {
    const { items } = place(rowsNamed(10_000), new Set())
    expect(seen(items, { top: 120_000, height: 300 }).length).toBeLessThan(60)
    expect(seen([], { top: 0, height: 300 })).toEqual([])
  })
})
