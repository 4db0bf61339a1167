import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NamedTool, onDuplicate, settleNames } from './tool-names'

const offered = (tools: readonly NamedTool[]) =>
  settleNames(tools).map((each) => (each.is === 'offered' ? each.name : each.is))

describe('S4-14 a name that two tools have', () => {
  it.each<[NamedTool['onDuplicate'], string[]]>([
    ['raise', ['a', 'b', 'clash']],
    ['override', ['left out', 'b', 'a']],
    ['skip', ['a', 'b', 'left out']],
    ['rename', ['a', 'b', 'a_2']],
  ])('with %s at the later one becomes %j', (how, names) => {
    expect(
      offered([
        { name: 'a', onDuplicate: 'raise' },
        { name: 'b', onDuplicate: 'raise' },
        { name: 'a', onDuplicate: how },
      ]),
    ).toEqual(names)
  })

  it('is never given again as a numbered name', () => {
    const tools: NamedTool[] = ['a', 'a', 'a_2', 'a'].map((name) => ({ name, onDuplicate: 'rename' }))
    expect(offered(tools)).toEqual(['a', 'a_3', 'a_2', 'a_4'])
  })

  it('is offered at most once, whatever the tools and their settings', () => {
    const tool = fc.record({
      name: fc.constantFrom('a', 'a_2', 'a_2_2', 'b'),
      onDuplicate: fc.constantFrom(...onDuplicate.options),
    })
    fc.assert(
      fc.property(fc.array(tool, { maxLength: 12 }), (tools) => {
        const settled = settleNames(tools)
        const names = settled.flatMap((each) => (each.is === 'offered' ? [each.name] : []))
        expect(new Set(names).size).toBe(names.length)
        for (const { name } of tools) expect(names).toContain(name)
        expect(settled).toHaveLength(tools.length)
      }),
    )
  })
})
