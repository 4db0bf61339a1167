import { expect, test } from 'vitest'
import type { WireTool } from '#lib/spec/model'
import { demo } from './demo'

const finish = (parameters: WireTool['parameters']): WireTool => ({
  name: 'finish',
  description: 'Ends the run.',
  parameters,
})
const calculate: WireTool = {
  name: 'math_calculate',
  description: 'Calculates.',
  parameters: { type: 'object', properties: { expression: { type: 'string' } }, required: ['expression'] },
}
const ask = (tools: WireTool[], said = 'hello') =>
  demo({ step: 1, instructions: '', messages: [{ role: 'user', text: said }], tools })

test('the demo ends by the finish tool where one is offered, and never takes it for a tool that answers', () => {
  const answer = finish({ type: 'object', properties: { answer: { type: 'string' } } })
  expect(ask([answer, calculate])).toMatchObject({
    calls: [{ name: 'finish', args: { answer: expect.stringContaining('scripted demo') } }],
  })
  expect(ask([calculate]).calls).toBeUndefined()
  expect(ask([answer, calculate], 'what is 6 * 7')).toMatchObject({ calls: [{ name: 'math_calculate' }] })
})

test('it fills whatever the finish tool asks for', () => {
  const properties = {
    text: { type: 'string' },
    kind: { enum: ['a', 'b'] },
    count: { type: 'integer' },
    rows: { type: 'array', items: {} },
    sure: { type: 'boolean' },
    more: { type: 'object', properties: { note: { type: ['string', 'null'] } } },
  }
  const { calls } = ask([finish({ type: 'object', properties })])
  expect(calls?.[0]?.args).toEqual({
    text: expect.any(String),
    kind: 'a',
    count: expect.any(Number),
    rows: [],
    sure: false,
    more: { note: expect.any(String) },
  })
})
