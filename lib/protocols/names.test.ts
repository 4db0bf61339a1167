import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wireNames } from './names'

const legal = /^[A-Za-z0-9_-]{1,64}$/

const names = fc.uniqueArray(
  fc.oneof(
    fc.string({
      unit: fc.constantFrom('a', 'b', '.', '_', ' ', '天', '👋', '-'),
      minLength: 0,
      maxLength: 4,
    }),
    fc.string({ unit: fc.constantFrom('a', '.', '_'), minLength: 62, maxLength: 70 }),
    fc.string({ unit: 'grapheme' }),
  ),
  { maxLength: 20 },
)

test('E-17 any set of names goes to legal aliases and back, each its own', () => {
  fc.assert(
    fc.property(names, (tools) => {
      const { toWire, toName } = wireNames(tools)
      const wires = tools.map(toWire)
      expect(new Set(wires).size).toBe(tools.length)
      tools.forEach((name, index) => {
        expect(wires[index]).toMatch(legal)
        expect(toName(wires[index] ?? '')).toBe(name)
        expect(toName(name)).toBe(name)
      })
    }),
    { numRuns: 100 },
  )
})

test('E-17 aliases do not hang on the order of tools', () => {
  fc.assert(
    fc.property(names, (tools) => {
      const one = wireNames(tools)
      const other = wireNames([...tools].reverse())
      for (const name of tools) expect(one.toWire(name)).toBe(other.toWire(name))
    }),
  )
})

test('E-17 a name that no tool bears is legal on the wire and reads as no tool', () => {
  fc.assert(
    fc.property(names, fc.string({ unit: 'grapheme' }), (tools, stranger) => {
      fc.pre(!tools.includes(stranger))
      const { toWire, toName } = wireNames(tools)
      fc.pre(!tools.includes(toName(stranger)))
      expect(toWire(stranger)).toMatch(legal)
      expect(tools).not.toContain(toName(toWire(stranger)))
    }),
  )
})

test.each<[string[], RegExp[]]>([
  [
    ['schema.list_tables', 'time.now'],
    [/^schema_list_tables$/, /^time_now$/],
  ],
  [
    ['a.b', 'a_b'],
    [/^a_b_[0-9a-f]{8}$/, /^a_b$/],
  ],
  [
    ['a.b', 'a b'],
    [/^a_b_[0-9a-f]{8}$/, /^a_b_[0-9a-f]{8}$/],
  ],
  [
    ['天', ''],
    [/^_$/, /^_[0-9a-f]{8}$/],
  ],
  [[`server.${'long'.repeat(30)}`], [/^(?=.{64}$)server_(long)+_[0-9a-f]{8}$/]],
])('S2-14 %j goes out as an alias', (tools, wires) => {
  const { toWire } = wireNames(tools)
  tools.forEach((name, index) => {
    expect(toWire(name)).toMatch(wires[index] ?? /^$/)
  })
})
