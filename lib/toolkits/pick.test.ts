import { describe, expect, it } from 'vitest'
import { readPath } from '#lib/spec/json-path'
import { json, refuse, type ToolOutput, text } from '#lib/spec/tool'
import { pickOutput } from './pick'

function pick(output: ToolOutput, path: string): ToolOutput {
  return pickOutput(output, readPath(path) ?? [])
}

describe('S4-14 picking from a result', () => {
  it.each<[string, ToolOutput, string, ToolOutput]>([
    ['a value of JSON', json({ a: [1, 2] }), '$.a', json([1, 2])],
    ['a text as text', json({ a: 'x' }), '$.a', text('x')],
    ['JSON in a text', text('{"a":{"b":true}}'), '$.a.b', json(true)],
    [
      'a column of a table',
      {
        ok: true,
        blocks: [
          {
            type: 'table',
            columns: ['id', 'name'],
            rows: [
              [1, 'tea'],
              [2, 'ice'],
            ],
          },
        ],
      },
      '$[*].name',
      json(['tea', 'ice']),
    ],
    [
      'the first block that is JSON',
      { ok: true, blocks: [{ type: 'text', text: 'Found it.' }, ...blocksOf(json({ a: 1 }))] },
      '$.a',
      json(1),
    ],
  ])('takes %s', (_, output, path, expected) => {
    expect(pick(output, path)).toEqual(expected)
  })

  it('lets nothing else through when the path finds nothing, or there is no JSON', () => {
    for (const output of [json({ secret: 'x' }), text('{"secret":"x"}'), text('secret: x')])
      expect(JSON.stringify(pick(output, '$.a'))).not.toContain('secret')
  })

  it('leaves a failure as it is, and keeps the details for the trace', () => {
    expect(pick(refuse('No.'), '$.a')).toEqual(refuse('No.'))
    expect(pick({ ...json({ a: 1 }), metadata: { rows: 3 } }, '$.a')).toEqual({
      ...json(1),
      metadata: { rows: 3 },
    })
  })
})

function blocksOf(output: ToolOutput) {
  return output.ok === true ? output.blocks : []
}
