import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changeText, contextParts } from './context-parts'

const context = { system: 412, tools: 638, history: 214, observations: 1_054, window: 400_000 }

describe('what a request was made of', () => {
  it('stands in one order, with shares and what changed since the request before', () => {
    const before = { ...context, history: 152, observations: 200 }
    const { parts, total, window } = contextParts(context, before)
    expect(parts.map(({ id, percent, change }) => [id, percent, change])).toEqual([
      ['system', 18, 0],
      ['tools', 28, 0],
      ['history', 9, 62],
      ['observations', 45, 854],
    ])
    expect([total, window]).toEqual([2_318, 400_000])
    expect(contextParts(context, null).parts.every((each) => each.change === null)).toBe(true)
  })

  it('S3-18 shows the texts of MCP servers where there are any', () => {
    const { parts, total } = contextParts({ ...context, servers: 82 }, null)
    expect(parts.map(({ label, tokens }) => [label, tokens]).slice(0, 3)).toEqual([
      ['System', 412],
      ['Servers', 82],
      ['Tools', 638],
    ])
    expect(total).toBe(2_400)
  })

  it('has shares that make a hundred, whatever the parts', () => {
    const nat = fc.nat(1_000_000)
    fc.assert(
      fc.property(nat, nat, nat, nat, (system, tools, history, observations) => {
        const { parts, total } = contextParts({ system, tools, history, observations, window: null }, null)
        expect(total).toBe(system + tools + history + observations)
        expect(parts.reduce((sum, each) => sum + each.percent, 0)).toBe(total === 0 ? 0 : 100)
      }),
    )
  })

  it('tells a change in one word', () => {
    expect([changeText(0), changeText(1_054), changeText(-62)]).toEqual(['same', '+1,054', '−62'])
  })
})
