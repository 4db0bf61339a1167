import { expect, test } from 'vitest'
import type { JsonValue } from '#lib/spec/json'
import { pastedCall } from './pasted'

test.each<[string, JsonValue]>([
  ['name and arguments', { name: 'sql.execute', arguments: { sql: 'select 1' } }],
  [
    'arguments as text, as Chat Completions have them',
    { name: 'sql.execute', arguments: '{"sql":"select 1"}' },
  ],
  [
    'a tool call of Chat Completions',
    { id: 'c1', type: 'function', function: { name: 'sql.execute', arguments: '{"sql":"select 1"}' } },
  ],
  [
    'a message with one tool call',
    {
      role: 'assistant',
      tool_calls: [{ function: { name: 'sql.execute', arguments: '{"sql":"select 1"}' } }],
    },
  ],
  ['a tool_use block', { type: 'tool_use', id: 't1', name: 'sql.execute', input: { sql: 'select 1' } }],
  [
    'a function_call item',
    { type: 'function_call', call_id: 'c1', name: 'sql.execute', arguments: '{"sql":"select 1"}' },
  ],
  ['what the trace copies', { name: 'sql.execute', args: { sql: 'select 1' }, status: 'ok', result: [] }],
])('a pasted call is taken apart: %s', (_, value) => {
  expect(pastedCall(value)).toEqual({ tool: 'sql.execute', text: '{\n  "sql": "select 1"\n}' })
})

test('arguments that are no JSON are kept as the model wrote them', () => {
  expect(pastedCall({ name: 'a', arguments: '{"sql":' })).toEqual({ tool: 'a', text: '{"sql":' })
})

test.each<[string, JsonValue]>([
  ['arguments alone', { sql: 'select 1' }],
  ['arguments with a name of their own', { name: 'a', content: 'b' }],
  ['arguments with a name, an input and more', { name: 'a', input: { x: 1 }, mode: 'fast' }],
  [
    'a list of calls',
    [
      { name: 'a', arguments: {} },
      { name: 'b', arguments: {} },
    ],
  ],
  ['a text', 'hello'],
])('what is no call is left as it is: %s', (_, value) => {
  expect(pastedCall(value)).toBeNull()
})
