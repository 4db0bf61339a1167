import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineOf } from './json-line'

const text = `{
  "name": "x",
  "tools": [
    { "use": "builtin" },
    {
      "use": "ma\\"gic",
      "name": "tools"
    }
  ],
  "model": { "name": 7 }
}`

describe('the line of a place in a file', () => {
  it.each([
    ['name', 2],
    ['tools', 3],
    ['tools/0', 4],
    ['tools/0/use', 4],
    ['tools/1', 5],
    ['tools/1/use', 6],
    ['tools/1/name', 7],
    ['model/name', 10],
  ])('%s stands on line %i', (path, line) => {
    expect(lineOf(text, path)).toBe(line)
  })

  it('is that of the nearest place above, where something is missing', () => {
    expect(lineOf(text, 'tools/1/description')).toBe(5)
    expect(lineOf(text, 'tools/7')).toBe(3)
    expect(lineOf(text, 'policies/0')).toBe(1)
    expect(lineOf('', 'name')).toBeUndefined()
  })

  it('is where the value begins, for every place of every JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const value: unknown = JSON.parse(json)
        const lines = JSON.stringify(value, null, 1).split('\n')
        for (const path of placesOf(value)) {
          const line = lineOf(lines.join('\n'), path) ?? 0
          const last = path.split('/').at(-1) ?? ''
          const isItem = /^\d+$/.test(last)
          if (!isItem) expect(lines[line - 1]?.trimStart().startsWith(JSON.stringify(last))).toBe(true)
        }
      }),
    )
  })

  it('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (any, path) => void lineOf(any, path)))
  })
})

/** Paths of values, without keys that are empty or contain a slash; a duplicate key is parsed as one. */
function placesOf(value: unknown, above: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return above.length === 0 ? [] : [above.join('/')]
  const here = above.length === 0 ? [] : [above.join('/')]
  const inner = Object.entries(value).filter(([key]) => key !== '' && !key.includes('/'))
  return [...here, ...inner.flatMap(([key, each]) => placesOf(each, [...above, key]))]
}
