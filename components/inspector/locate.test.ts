import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spansOf } from './locate'

const config = {
  version: 1,
  name: 'retail "analyst"',
  title: 'Retail {analyst}, [1]',
  model: { provider: 'openai', name: 'gpt' },
  tools: [
    { use: 'builtin', tools: ['a', 'b\\'] },
    { use: 'code', source: 'return "}]," + 1' },
  ],
  policies: [],
  canvas: { parked: [{ kind: 'policy:steps', config: { max: 3 } }] },
}
const text = `${JSON.stringify(config, null, 2)}\n`
const valuesAt = (path: string) =>
  spansOf(text, path, []).map(({ from, to }) => JSON.parse(text.slice(from, to)))

describe('the place of an entry in the text of a config', () => {
  it('is found by its path, whatever signs stand in texts', () => {
    expect(valuesAt('tools/1')).toEqual([config.tools[1]])
    expect(valuesAt('model')).toEqual([config.model])
    expect(valuesAt('parked/0')).toEqual(config.canvas.parked)
  })

  it('is nowhere for a path the text does not have', () => {
    expect(valuesAt('tools/2')).toEqual([])
    expect(valuesAt('policies/0')).toEqual([])
    expect(valuesAt('protocol')).toEqual([])
  })

  it('is several lines for the agent: its own keys alone', () => {
    const spans = spansOf(text, 'agent', ['name', 'title'])
    expect(spans.map(({ from, to }) => text.slice(from, to))).toEqual([
      '"name": "retail \\"analyst\\""',
      '"title": "Retail {analyst}, [1]"',
    ])
  })

  it('holds exactly the value, for any JSON written in any even way', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }), fc.nat(4), (tools, indent) => {
        const written = JSON.stringify({ first: 'x', tools, last: null }, null, indent)
        tools.forEach((each, at) => {
          const [span] = spansOf(written, `tools/${at}`, [])
          expect(JSON.stringify(JSON.parse(written.slice(span?.from, span?.to)))).toBe(JSON.stringify(each))
        })
      }),
    )
  })
})
