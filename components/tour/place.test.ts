import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { overlap, placeBeside } from './place'

const mark = { width: 288, height: 150 }
const room = { width: 1440, height: 900 }

describe('the place of a coach mark', () => {
  it('is at the side that is wanted', () => {
    const canvas = { x: 216, y: 44, width: 904, height: 528 }
    expect(placeBeside(canvas, mark, room, 'right').x).toBe(1130)
    const bar = { x: 1200, y: 8, width: 180, height: 28 }
    expect(placeBeside(bar, mark, room, 'below')).toEqual({ x: 1092, y: 46 })
  })

  it('is another side where the wanted one has no room', () => {
    const run = { x: 1120, y: 572, width: 320, height: 328 }
    expect(placeBeside(run, mark, room, 'right').x).toBe(1120 - 10 - 288)
  })

  it('never covers what it explains where any side has room, and never leaves the window', () => {
    const rect = fc.record({
      x: fc.integer({ min: 0, max: 1400 }),
      y: fc.integer({ min: 0, max: 860 }),
      width: fc.integer({ min: 10, max: 1440 }),
      height: fc.integer({ min: 10, max: 900 }),
    })
    const side = fc.constantFrom('right' as const, 'left' as const, 'below' as const, 'above' as const)
    fc.assert(
      fc.property(rect, side, (target, wanted) => {
        const at = placeBeside(target, mark, room, wanted)
        expect(at.x).toBeGreaterThanOrEqual(8)
        expect(at.y).toBeGreaterThanOrEqual(8)
        expect(at.x + mark.width).toBeLessThanOrEqual(1432)
        expect(at.y + mark.height).toBeLessThanOrEqual(892)
        const hasRoom =
          target.x >= 288 + 18 ||
          1440 - target.x - target.width >= 288 + 18 ||
          target.y >= 150 + 18 ||
          900 - target.y - target.height >= 150 + 18
        if (hasRoom) expect(overlap(target, { ...at, ...mark })).toBe(false)
      }),
    )
  })
})
