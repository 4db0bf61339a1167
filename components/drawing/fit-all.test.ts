import { describe, expect, it } from 'vitest'
import { fittedView, leastZoom } from './fit-all'

const screen = { width: 964, height: 716 }
/** The part of the screen inside the margins is 900 by 600 pixels. */
const view = (width: number, height: number, more: Partial<Parameters<typeof fittedView>[0]> = {}) =>
  fittedView({ boxes: [{ x: 0, y: 0, width, height }], cards: 3, anchor: undefined, screen, ...more })

describe('fitting the drawing into view', () => {
  it('centres a small drawing and does not enlarge it', () => {
    expect(view(300, 200)).toEqual({ zoom: 1, x: 32 + 300, y: 32 + 200 })
  })

  it('stops at 80 % up to 30 cards, and beyond that shows everything', () => {
    expect(view(3_000, 2_000)?.zoom).toBe(0.8)
    expect(view(3_000, 2_000, { cards: 30 })?.zoom).toBe(0.8)
    expect(view(3_000, 2_000, { cards: 31 })?.zoom).toBeCloseTo(0.3)
    expect(view(90_000, 90_000, { cards: 500 })?.zoom).toBe(leastZoom)
  })

  it('shows a small drawing whole on a phone, where names are enlarged', () => {
    const found = view(1_000, 600, { screen: { width: 390, height: 700 } })
    expect(found?.zoom).toBeCloseTo((390 - 24) / 1_000)
    expect(found?.x).toBeCloseTo(12)
  })

  it('keeps the agent in view when not everything fits', () => {
    const anchor = { x: 2_744, y: 900, width: 256, height: 160 }
    const found = view(3_000, 2_000, { anchor })
    if (found === undefined) throw new Error('there is room')
    const left = anchor.x * found.zoom + found.x
    expect(left).toBeGreaterThanOrEqual(32)
    expect(left + anchor.width * found.zoom).toBeLessThanOrEqual(932.001)
  })

  it('shows nothing where there is no drawing or no room', () => {
    expect(view(1, 1, { boxes: [] })).toBeUndefined()
    expect(view(300, 200, { screen: { width: 40, height: 40 } })).toBeUndefined()
  })
})
