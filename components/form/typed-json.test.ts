import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readJson } from './typed-json'

const reasonOf = (text: string) => {
  const read = readJson(text)
  return read.ok ? undefined : read.reason
}

test('typed JSON is a value, or nothing', () => {
  expect(readJson('{"a": 1}')).toEqual({ ok: true, value: { a: 1 } })
  expect(readJson('  ')).toEqual({ ok: true, value: undefined })
})

test('what is no JSON yet is told in one sentence with its line', () => {
  expect(reasonOf('{\n  "a": 1\n  "b": 2\n}')).toBe(
    'Not JSON yet, line 3: a comma or } is missing before “"”.',
  )
  expect(reasonOf('{"a": ')).toBe('Not JSON yet, line 1: a value is missing.')
  expect(reasonOf('{\n  "a": tru\n}')).toBe('Not JSON yet, line 2: a value is missing (there is “tru”).')
  expect(reasonOf('{\n  a: 1\n}')).toBe(
    'Not JSON yet, line 2: a key must be in double quotes (there is “a”).',
  )
  expect(reasonOf('{"a": 1,\n}')).toBe('Not JSON yet, line 2: a list or object must not end with a comma.')
  expect(reasonOf('[1, 2\n\n')).toBe('Not JSON yet, line 1: a comma or ] is missing.')
  expect(reasonOf('{} x')).toBe('Not JSON yet, line 1: nothing may follow the end (there is “x”).')
  expect(reasonOf('"a\nb"')).toContain('not closed')
})

test('whatever the engine refuses, a reason with a line within the text is found', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', '"', '\n', 'x'), (json, at, typed) => {
      const cut = at % (json.length + 1)
      const text = json.slice(0, cut) + typed + json.slice(cut + 1)
      const line = /^Not JSON yet, line (\d+): .+\.$/.exec(
        reasonOf(text) ?? 'Not JSON yet, line 1: none.',
      )?.[1]
      expect(Number(line)).toBeGreaterThan(0)
      expect(Number(line)).toBeLessThanOrEqual(text.split('\n').length)
    }),
  )
})
