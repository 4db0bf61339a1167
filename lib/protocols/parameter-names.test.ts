import { describe, expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import type { ModelChunk } from '#lib/spec/model'
import { native } from './native'
import { parameterNames } from './parameter-names'
import { boundTool } from './speaking.fixture'

const weather = boundTool('weather.get', {
  type: 'object',
  properties: {
    城市: { type: 'string', description: 'Which city.' },
    days: { type: 'integer' },
    'odd key': { title: 'Mine' },
    parameter_3: { type: 'string' },
  },
  required: ['城市', 'days'],
})
const plain = boundTool('time.now', { type: 'object', properties: { zone: { type: 'string' } } })
const codec = native.open([weather, plain], 'tool_message')

function hear(...chunks: ModelChunk[]): ModelChunk[] {
  const heard: ModelChunk[] = []
  const decoder = codec.decoder({ hear: (chunk) => heard.push(chunk) })
  for (const chunk of chunks) decoder.push(chunk)
  decoder.end()
  return heard
}
const start = (name: string): ModelChunk => ({ type: 'call.start', index: 0, name })
const args = (text: string): ModelChunk => ({ type: 'call.args', index: 0, text })
const end: ModelChunk = { type: 'call.end', index: 0 }

describe('E-17 parameter names that a wire does not take', () => {
  test('are sent under aliases, each with its own name as its title', () => {
    expect(codec.offered[0]?.wire.parameters).toEqual({
      type: 'object',
      properties: {
        parameter_1: { title: '城市', type: 'string', description: 'Which city.' },
        days: { type: 'integer' },
        parameter_3_: { title: 'Mine' },
        parameter_3: { type: 'string' },
      },
      required: ['parameter_1', 'days'],
    })
  })

  test('leave every other tool as it is', () => {
    expect(parameterNames(plain.parameters)).toBeUndefined()
    expect(codec.offered[1]?.wire.parameters).toBe(plain.parameters)
    const pieces = [start('time_now'), args('{"zo'), args('ne":"x"}'), end]
    expect(hear(...pieces)).toEqual([{ ...pieces[0], name: 'time.now' }, ...pieces.slice(1)])
  })

  test('come back as the tool’s own, however the arguments are cut up', () => {
    expect(hear(start('weather_get'), args('{"parameter_1":"上'), args('海","days":2}'), end)).toEqual([
      { type: 'call.start', index: 0, name: 'weather.get' },
      args('{"城市":"上海","days":2}'),
      end,
    ])
  })

  test('of a call that never ends, or cannot be read, still reach the run', () => {
    expect(hear(start('weather_get'), args('{"parameter_1":"a"}'))).toContainEqual(args('{"城市":"a"}'))
    expect(hear(start('weather_get'), args('{"parameter_1":'), end)).toContainEqual(args('{"parameter_1":'))
  })

  test('are under their aliases in the replayed dialogue as well', () => {
    const call = {
      type: 'call' as const,
      id: 'c',
      name: 'weather.get',
      rawArgs: '{"城市":"a"}',
      args: { 城市: 'a' },
    }
    const messages: Message[] = [{ role: 'assistant', parts: [call] }]
    const [sent] = codec.encode({ instructions: '', messages, offerTools: true }).messages
    expect(sent).toMatchObject({
      parts: [{ name: 'weather_get', args: { parameter_1: 'a' }, rawArgs: '{"parameter_1":"a"}' }],
    })
  })
})
