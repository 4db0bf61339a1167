/** Tests that the model server rejects what the two services reject. */
import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { signatureOf } from './anthropic-wire'
import { refusalOfAnthropic } from './refusal-anthropic'
import { refusalOfOpenai } from './refusal-openai'

const schema = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
const user = { role: 'user', content: 'How much?' }

const openaiTool = { type: 'function', function: { name: 'find', description: 'Finds.', parameters: schema } }
const openaiTaking = (parameters: JsonObject) => ({ type: 'function', function: { name: 'a', parameters } })
const openaiCall = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  type: 'function',
  function: { name: 'find', arguments: '{"q":"a"}', ...more },
})
const openaiAsking = (...calls: JsonObject[]): JsonObject => ({ role: 'assistant', tool_calls: calls })
const openaiResult = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'found' })
const openai = (messages: JsonValue, more: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages,
  tools: [openaiTool],
  ...more,
})

describe('OpenAI takes', () => {
  test.each<[string, JsonObject]>([
    ['a question', { model: 'm', messages: [user] }],
    ['instructions and a question', openai([{ role: 'system', content: 'Be brief.' }, user])],
    [
      'calls, their results, and words',
      openai([
        user,
        openaiAsking(openaiCall('a'), openaiCall('b')),
        openaiResult('b'),
        openaiResult('a'),
        { role: 'assistant', content: 'Two.' },
        user,
      ]),
    ],
    [
      'text beside calls, and neighbours of one role',
      openai([
        user,
        user,
        { ...openaiAsking(openaiCall('a')), content: 'Let me see.' },
        openaiResult('a'),
        user,
      ]),
    ],
    [
      'every setting',
      openai([user], {
        temperature: 2,
        top_p: 0,
        max_completion_tokens: 1,
        reasoning_effort: 'low',
        stream: true,
        stream_options: { include_usage: true },
        tool_choice: { type: 'function', function: { name: 'find' } },
        parallel_tool_calls: true,
      }),
    ],
  ])('%s', (_, body) => {
    expect(refusalOfOpenai(body)).toBeUndefined()
  })
})

describe('OpenAI refuses', () => {
  test.each<[string, unknown, RegExp]>([
    ['what is no object', 'text', /parse/],
    ['an unknown key', openai([user], { temprature: 1 }), /unknown key/],
    ['no model', { messages: [user] }, /model/],
    ['no messages', openai([]), /messages/],
    ['only instructions', openai([{ role: 'system', content: 'x' }]), /user message/],
    ['instructions in the middle', openai([user, { role: 'system', content: 'x' }]), /system/],
    [
      'two system messages',
      openai([{ role: 'system', content: 'x' }, { role: 'system', content: 'y' }, user]),
      /system/,
    ],
    ['an answer first', openai([{ role: 'assistant', content: 'Hi.' }, user]), /first message/],
    ['an unknown role', openai([{ role: 'bot', content: 'Hi.' }]), /role/],
    ['an unknown key of a message', openai([{ ...user, at: 5 }]), /unknown key/],
    ['an empty question', openai([{ role: 'user', content: '' }]), /non-empty/],
    ['a question that is null', openai([{ role: 'user', content: null }]), /expected a string/],
    ['an empty text part', openai([{ role: 'user', content: [{ type: 'text', text: '' }] }]), /non-empty/],
    ['an answer without words or calls', openai([user, { role: 'assistant' }, user]), /expected a string/],
    ['an empty list of calls', openai([user, openaiAsking(), user]), /too short/],
    [
      'a call without a result',
      openai([user, openaiAsking(openaiCall('a'))]),
      /did not have response messages: a/,
    ],
    [
      'one result of two',
      openai([user, openaiAsking(openaiCall('a'), openaiCall('b')), openaiResult('a'), user]),
      /messages: b/,
    ],
    [
      'a result that comes late',
      openai([user, openaiAsking(openaiCall('a')), user, openaiResult('a')]),
      /messages: a/,
    ],
    ['a result without a call', openai([user, openaiResult('a')]), /must be a response/],
    [
      'a result twice',
      openai([user, openaiAsking(openaiCall('a')), openaiResult('a'), openaiResult('a')]),
      /must be a response/,
    ],
    [
      'a result without content',
      openai([user, openaiAsking(openaiCall('a')), { role: 'tool', tool_call_id: 'a', content: null }]),
      /null/,
    ],
    [
      'an id twice in an answer',
      openai([user, openaiAsking(openaiCall('a'), openaiCall('a')), openaiResult('a')]),
      /Duplicate/,
    ],
    [
      'an id twice in a dialogue',
      openai([
        user,
        openaiAsking(openaiCall('a')),
        openaiResult('a'),
        openaiAsking(openaiCall('a')),
        openaiResult('a'),
      ]),
      /Duplicate/,
    ],
    ['an empty id', openai([user, openaiAsking(openaiCall('')), openaiResult('')]), /id/],
    [
      'an id that is too long',
      openai([user, openaiAsking(openaiCall('x'.repeat(41))), openaiResult('x'.repeat(41))]),
      /too long/,
    ],
    [
      'a dotted name in the dialogue',
      openai([user, openaiAsking(openaiCall('a', { name: 'a.b' })), openaiResult('a')]),
      /pattern/,
    ],
    [
      'arguments that are cut',
      openai([user, openaiAsking(openaiCall('a', { arguments: '{"q":' })), openaiResult('a')]),
      /JSON text/,
    ],
    [
      'empty arguments',
      openai([user, openaiAsking(openaiCall('a', { arguments: '' })), openaiResult('a')]),
      /JSON text/,
    ],
    [
      'arguments that are no text',
      openai([user, openaiAsking(openaiCall('a', { arguments: { q: 'a' } })), openaiResult('a')]),
      /JSON text/,
    ],
    ['an empty list of tools', openai([user], { tools: [] }), /empty array/],
    [
      'a choice without tools',
      { model: 'm', messages: [user], tool_choice: 'auto' },
      /only allowed when 'tools'/,
    ],
    [
      'a choice of no tool',
      openai([user], { tool_choice: { type: 'function', function: { name: 'other' } } }),
      /names no tool/,
    ],
    [
      'parallel calls without tools',
      { model: 'm', messages: [user], parallel_tool_calls: true },
      /only allowed/,
    ],
    [
      'a tool of a dotted name',
      openai([user], { tools: [{ type: 'function', function: { name: 'a.b', parameters: schema } }] }),
      /pattern/,
    ],
    [
      'a tool of a long name',
      openai([user], {
        tools: [{ type: 'function', function: { name: 'a'.repeat(65), parameters: schema } }],
      }),
      /pattern/,
    ],
    ['two tools of one name', openai([user], { tools: [openaiTool, openaiTool] }), /unique/],
    ['a schema of no object', openai([user], { tools: [openaiTaking({ type: 'string' })] }), /object/],
    ['a schema without a type', openai([user], { tools: [openaiTaking({})] }), /object/],
    ['a schema without properties', openai([user], { tools: [openaiTaking({ type: 'object' })] }), /missing/],
    ['a temperature above 2', openai([user], { temperature: 2.1 }), /temperature/],
    ['a temperature that is null', openai([user], { temperature: null }), /temperature/],
    ['two limits of tokens', openai([user], { max_tokens: 1, max_completion_tokens: 1 }), /not both/],
    ['stream options without a stream', openai([user], { stream_options: {} }), /stream_options/],
  ])('%s', (_, body, words) => {
    expect(refusalOfOpenai(body)?.message).toMatch(words)
  })
})

test('Anthropic took temperatures in the versions of its API before 2026-10-21', () => {
  const body = { model: 'm', max_tokens: 5, messages: [user], temperature: 0.5 }
  expect(refusalOfAnthropic(body, { version: '2023-06-01' })).toBeUndefined()
  expect(refusalOfAnthropic(body, { version: '2026-10-21' })?.message).toMatch(/unknown key/)
})

describe('services differ', () => {
  const asked = (more: JsonObject) =>
    openai([user, { ...openaiAsking(openaiCall('a')), ...more }, openaiResult('a')])

  test('in an answer of calls alone whose content is null', () => {
    expect(refusalOfOpenai(asked({ content: null }))).toBeUndefined()
    expect(refusalOfOpenai(asked({ content: null }), 'openai')).toBeUndefined()
    expect(refusalOfOpenai(asked({ content: null }), 'compatible')?.message).toMatch(/null/)
    expect(refusalOfOpenai(asked({ content: '' }), 'compatible')).toBeUndefined()
  })

  test('in thoughts that come back', () => {
    expect(refusalOfOpenai(asked({ reasoning_content: 'Hm.' }), 'compatible')).toBeUndefined()
    expect(refusalOfOpenai(asked({ reasoning_content: 'Hm.' }), 'openai')?.message).toMatch(/unknown key/)
  })
})

const use = (id: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool_use',
  id,
  name: 'find',
  input: { q: 'a' },
  ...more,
})
const asking = (...content: JsonObject[]): JsonObject => ({ role: 'assistant', content })
const result = (id: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'found',
  ...more,
})
const telling = (...content: JsonObject[]): JsonObject => ({ role: 'user', content })
const words = { type: 'text', text: 'Go on.' }
const tool = { name: 'find', description: 'Finds.', input_schema: schema }
const anthropic = (messages: JsonValue, more: JsonObject = {}): JsonObject => ({
  model: 'm',
  max_tokens: 4096,
  messages,
  tools: [tool],
  ...more,
})
const thought: JsonObject = { type: 'thinking', thinking: 'Hm.', signature: signatureOf('Hm.') }
const sent = new Map([['a', [thought]]])

describe('Anthropic takes', () => {
  test.each<[string, JsonObject]>([
    ['a question', { model: 'm', max_tokens: 1, messages: [user] }],
    ['instructions', anthropic([user], { system: 'Be brief.' })],
    [
      'calls, then results, then words',
      anthropic([user, asking(words, use('x'), use('y')), telling(result('x'), result('y'), words)]),
    ],
    [
      'results in messages of their own',
      anthropic([user, asking(use('x'), use('y')), telling(result('x')), telling(result('y')), user]),
    ],
    ['a thought with its call', anthropic([user, asking(thought, use('a')), telling(result('a'))])],
    [
      'a thought left out of an earlier turn',
      anthropic([user, asking(use('a')), telling(result('a')), asking(words), user]),
    ],
    ['thinking', anthropic([user], { thinking: { type: 'enabled', budget_tokens: 1024 } })],
    [
      'a choice',
      anthropic([user], { tool_choice: { type: 'tool', name: 'find' }, temperature: 1, top_k: 5 }),
    ],
  ])('%s', (_, body) => {
    expect(refusalOfAnthropic(body, { sent, version: '2023-06-01' })).toBeUndefined()
  })
})

describe('Anthropic refuses', () => {
  test.each<[string, unknown, RegExp]>([
    ['what is no object', [], /JSON/],
    ['an unknown key', anthropic([user], { max_completion_tokens: 5 }), /unknown key/],
    ['no limit of tokens', { model: 'm', messages: [user] }, /max_tokens: Field required/],
    ['a temperature above 1', anthropic([user], { temperature: 1.5 }), /temperature/],
    ['an empty system text', anthropic([user], { system: '' }), /non-empty/],
    ['a system message', anthropic([{ role: 'system', content: 'x' }, user]), /top-level `system`/],
    ['a role of another wire', anthropic([user, { role: 'tool', content: 'x' }]), /'user' or 'assistant'/],
    ['no messages', anthropic([]), /at least one/],
    ['an answer first', anthropic([asking(words), user]), /first message/],
    ['an answer last', anthropic([user, asking(words)]), /prefill/],
    ['empty content', anthropic([telling()]), /non-empty/],
    ['an empty text', anthropic([{ role: 'user', content: '' }]), /non-empty/],
    ['a text of blanks', anthropic([{ role: 'user', content: ' \n' }]), /non-whitespace/],
    ['an empty text block', anthropic([telling({ type: 'text', text: '' })]), /non-empty/],
    ['content that is null', anthropic([{ role: 'user', content: null }]), /valid string or list/],
    ['a call without a result', anthropic([user, asking(use('x')), user]), /immediately after: x/],
    [
      'a result two messages on',
      anthropic([user, asking(use('x')), user, asking(words), telling(result('x'))]),
      /immediately after: x/,
    ],
    [
      'a result without a call',
      anthropic([user, asking(words), telling(result('x'))]),
      /unexpected `tool_use_id`/,
    ],
    [
      'a result twice',
      anthropic([user, asking(use('x')), telling(result('x'), result('x'))]),
      /single result/,
    ],
    [
      'words before results',
      anthropic([user, asking(use('x')), telling(words, result('x'))]),
      /first in the content/,
    ],
    [
      'an id twice',
      anthropic([user, asking(use('x')), telling(result('x')), asking(use('x')), telling(result('x'))]),
      /unique/,
    ],
    ['an id of other signs', anthropic([user, asking(use('call.1')), telling(result('call.1'))]), /pattern/],
    [
      'a dotted name in the dialogue',
      anthropic([user, asking(use('x', { name: 'a.b' })), telling(result('x'))]),
      /pattern/,
    ],
    [
      'arguments as text',
      anthropic([user, asking(use('x', { input: '{}' })), telling(result('x'))]),
      /dictionary/,
    ],
    [
      'an empty result',
      anthropic([user, asking(use('x')), telling(result('x', { content: '' }))]),
      /non-empty/,
    ],
    ['a call said by the user', anthropic([user, telling(use('x'))]), /does not fit/],
    ['an empty list of tools', anthropic([user], { tools: [] }), /at least 1/],
    [
      'a choice without tools',
      { model: 'm', max_tokens: 5, messages: [user], tool_choice: { type: 'auto' } },
      /while providing tools/,
    ],
    ['a choice as the other wire writes it', anthropic([user], { tool_choice: 'auto' }), /tool_choice/],
    ['a choice of no tool', anthropic([user], { tool_choice: { type: 'tool', name: 'other' } }), /not found/],
    ['a tool as the other wire writes it', anthropic([user], { tools: [openaiTool] }), /unknown key/],
    ['a tool of a dotted name', anthropic([user], { tools: [{ ...tool, name: 'a.b' }] }), /pattern/],
    ['two tools of one name', anthropic([user], { tools: [tool, tool] }), /unique/],
    [
      'a schema of no object',
      anthropic([user], { tools: [{ name: 'a', input_schema: { type: 'array' } }] }),
      /object/,
    ],
    [
      'a thought that was changed',
      anthropic([user, asking({ ...thought, thinking: 'Ha.' }, use('a')), telling(result('a'))]),
      /Invalid `signature`/,
    ],
    [
      'a thought that was dropped',
      anthropic([user, asking(use('a')), telling(result('a'))]),
      /cannot be dropped/,
    ],
    [
      'a block nobody sent',
      anthropic([user, asking({ type: 'crystal_ball' }, words), user]),
      /expected tags/,
    ],
    [
      'a short budget of thoughts',
      anthropic([user], { thinking: { type: 'enabled', budget_tokens: 5 } }),
      /1024/,
    ],
    [
      'a budget above the limit',
      anthropic([user], { thinking: { type: 'enabled', budget_tokens: 9000 } }),
      /greater than/,
    ],
    [
      'thoughts and a temperature',
      anthropic([user], { thinking: { type: 'enabled', budget_tokens: 1024 }, temperature: 0 }),
      /temperature/,
    ],
  ])('%s', (_, body, words) => {
    expect(refusalOfAnthropic(body, { sent, version: '2023-06-01' })?.message).toMatch(words)
  })
})
