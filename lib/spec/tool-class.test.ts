import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effect, risk } from './tool'
import { classFaults, classOf, type GivenClass, isHeldToReading, type ToolClass } from './tool-class'

const risks = fc.constantFrom(...risk.options)
const effects = fc.constantFrom(...effect.options)
/** Like real tools: the risk is `read` exactly when the effect is `read`. */
const tool = fc
  .record({ risk: risks, effect: effects, canOnlyRead: fc.boolean() })
  .filter((each) => (each.risk === 'read') === (each.effect === 'read'))
const given = fc.record({ risk: risks, effect: effects }, { requiredKeys: [] }) as fc.Arbitrary<GivenClass> // cast: a record without a key has it as undefined
const rank = <T>(order: readonly T[], value: T) => order.indexOf(value)
const faults = (own: ToolClass, said: GivenClass) => classFaults([{ ...own, name: 'a' }], said)

describe('the class of a tool under an entry', () => {
  it('is the tool’s own where the entry says nothing', () => {
    fc.assert(
      fc.property(tool, (own) => {
        expect(faults(own, {})).toEqual([])
        expect(classOf(own, {})).toEqual({ risk: own.risk, effect: own.effect })
      }),
    )
  })

  it('is never lower than the tool’s own, unless the tool is held to reading; else there is a fault', () => {
    fc.assert(
      fc.property(tool, given, (own, said) => {
        if (faults(own, said).length > 0 || isHeldToReading(own, said)) return
        const made = classOf(own, said)
        expect(rank(risk.options, made.risk)).toBeGreaterThanOrEqual(rank(risk.options, own.risk))
        expect(rank(effect.options, made.effect)).toBeGreaterThanOrEqual(rank(effect.options, own.effect))
      }),
    )
  })

  it('is what the entry says, and a risk of read always means that nothing is changed', () => {
    fc.assert(
      fc.property(tool, given, (own, said) => {
        if (faults(own, said).length > 0) return
        const made = classOf(own, said)
        if (said.risk !== undefined) expect(made.risk).toBe(said.risk)
        if (said.effect !== undefined) expect(made.effect).toBe(said.effect)
        if (made.risk === 'read') expect(made.effect).toBe('read')
      }),
    )
  })

  it('only what can be held to reading is held to it, and only where the entry says read', () => {
    fc.assert(
      fc.property(tool, given, (own, said) => {
        const saysRead = said.risk === 'read' || said.effect === 'read'
        expect(isHeldToReading(own, said)).toBe(own.canOnlyRead && saysRead)
      }),
    )
  })

  it('names the first tools of many, and tells how many more there are', () => {
    const tools = ['a', 'b', 'c', 'd', 'e'].map(
      (name) => ({ name, risk: 'write', effect: 'effect' }) as const,
    )
    const [fault] = classFaults(tools, { risk: 'read' })
    expect(fault?.message).toContain('“a”, “b”, “c” and 2 more')
  })
})
