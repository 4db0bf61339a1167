import { expect, test } from 'vitest'
import { json } from './json'
import { asText, heard, inPieces, listing, tools } from './speaking.fixture'

const codec = json.open(tools, 'user_message')
const read = (text: string, reason: 'stop' | 'length' = 'stop') => {
  const whole = heard(codec, asText(text), reason)
  expect(heard(codec, inPieces(asText(text)), reason)).toEqual(whole)
  return whole
}
const callsOf = (text: string) => {
  const { calls } = read(text)
  expect(calls.every(({ invalid }) => invalid === undefined)).toBe(true)
  return calls.map(({ name, raw }) => [name, JSON.parse(raw === '' ? '{}' : raw)])
}
const now = '{"action":"tool_call","tool_calls":[{"name":"time.now","arguments":{"zone":"上海"}}]}'

test('S2-05 S2-06 S2-08 calls in their order, the reasoning beside them, text unescaped', () => {
  const text = `{"reasoning":"先看表","action":"tool_call","tool_calls":[
    {"name":"time.now","arguments":{"zone":"上海"}},{"name":"files.create","arguments":{"path":"a"}}]}`
  expect(read(text)).toMatchObject({ text: '', reasoning: '先看表', order: 'cc' })
  expect(read(text).calls[0]?.raw).toBe('{"zone":"上海"}')
  expect(callsOf(text)).toEqual([
    ['time.now', { zone: '上海' }],
    ['files.create', { path: 'a' }],
  ])
})

test.each([
  [
    '{"reasoning":"r","action":"finish","content":"Hi {{start_date}} \\n\\u4f60\\ud83d\\udc4b"}',
    'Hi {{start_date}} \n你👋',
  ],
  ['{"action":"finish","content":"","sql":"SELECT 1"}', 'SELECT 1'],
  ['{"action":"finish","result":"r"}', 'r'],
  ['{"action":"finish","answer":"a"}', 'a'],
  ['{"content":"no action"}', 'no action'],
  ['{"response":"x"}', 'x'],
  ['{"result":5}', '5'],
  ['{"action":"finish","content":"{\\"action\\":\\"tool_call\\"}"}', '{"action":"tool_call"}'],
  ['{"action":"finish","content":{"total":[1,"a",null]}}', '{"total":[1,"a",null]}'],
  ['{"reasoning":"only this","action":"finish"}', 'only this'],
  ['Plain words, {"a": 1} and {x}.', 'Plain words, {"a": 1} and {x}.'],
  ['{"total": 5, "rows": []}', '{"total": 5, "rows": []}'],
  ['[1, 2]', '[1, 2]'],
  ['```python\nx = {"action": 1}\n```', '```python\nx = {"action": 1}\n```'],
  ['\ufeff{"action":"finish","content":"bom"}', 'bom'],
  ['```json\n{"action":"finish","content":"fenced"}\n```\n', 'fenced'],
  ['{"action":"finish","content":"first"}\n{"action":"finish","content":"second"}', 'first'],
])('S2-07 S2-09 S2-10 S2-17 E-13 E-16 the answer of %j is %j', (text, answer) => {
  expect(read(text)).toMatchObject({ calls: [], text: answer })
})

test.each([
  ['{"action":"finish","sql":"SELECT 1","content":"There is one."}', 'There is one.', 1],
  ['{"action":"finish","content":"There is one.","sql":"SELECT 1"}', 'There is one.', 1],
  ['{"action":"finish","sql":{"a":[1]},"answer":"One."}', 'One.', 1],
  ['{"action":"finish","sql":"SELECT 1","content":""}', 'SELECT 1', 0],
  ['{"action":"finish","sql":{"a":[1,null]}}', '{"a":[1,null]}', 0],
  ['{"action":"finish","sql":null,"content":"One."}', 'One.', 0],
])(
  'S2-07 the answer of %j is %j: content comes before sql, and what is left out is a warning',
  (text, answer, warned) => {
    const heard = read(text)
    expect(heard).toMatchObject({ calls: [], text: answer })
    expect(heard.warnings).toEqual(warned === 0 ? [] : [expect.stringContaining('sql')])
  },
)

test('S2-07 an answer that breaks off after its sql keeps it', () => {
  const heard = read('{"action":"finish","sql":"SELECT 1","reas')
  expect(heard).toMatchObject({ calls: [], text: 'SELECT 1' })
  expect(heard.warnings).toHaveLength(1)
})

const call = '{"action":"tool_call","tool_calls":[{"name":"time.now","arguments":{"zone":"上海"}}]}'

test.each(['response', 'result', 'text', 'content'])(
  'S2-09 an answer that stands as text under %j is read once more, up to two levels',
  (key) => {
    const within = (inner: string) => JSON.stringify({ [key]: inner })
    expect(callsOf(within(call))).toEqual([['time.now', { zone: '上海' }]])
    expect(callsOf(within(within(call)))).toEqual([['time.now', { zone: '上海' }]])
    expect(read(within(within(within(call))))).toMatchObject({ calls: [], text: call })
    expect(read(within('{"action":"finish","content":"done \\"so\\""}'))).toMatchObject({
      calls: [],
      text: 'done "so"',
    })
    expect(read(within('words {"action":"tool_call"}'))).toMatchObject({
      calls: [],
      text: 'words {"action":"tool_call"}',
    })
    expect(read(JSON.stringify({ [key]: '{"rows":[1]}' }))).toMatchObject({ calls: [], text: '{"rows":[1]}' })
  },
)

test('S2-09 a whole answer in quotes is read as what it quotes, and other words in quotes stay', () => {
  expect(callsOf(JSON.stringify(call))).toEqual([['time.now', { zone: '上海' }]])
  expect(callsOf(`\n${JSON.stringify(call)}\n`)).toEqual([['time.now', { zone: '上海' }]])
  expect(read(JSON.stringify('{"content":"hi"}'))).toMatchObject({ calls: [], text: 'hi' })
  for (const said of ['"Yes," she said.', '"{curly}" is a word', '"', ' "  {', 'He said "{\\"a\\": 1}"'])
    expect(read(said)).toMatchObject({ calls: [], text: said })
})

test('S2-09 what a finished answer quotes is never called', () => {
  expect(read(JSON.stringify({ action: 'finish', content: call }))).toMatchObject({ calls: [], text: call })
  expect(read(JSON.stringify({ reasoning: 'r', content: call }))).toMatchObject({ calls: [], text: call })
})

test('S2-09 cut within the text, a call is told as cut and words are kept', () => {
  const cut = JSON.stringify({ response: call }).slice(0, -20)
  expect(read(cut, 'length').calls[0]?.invalid).toBeDefined()
  expect(read('{"response":"half a sen', 'length')).toMatchObject({ calls: [], text: 'half a sen' })
})

test('text of the answer comes as it is written', () => {
  const decoder = listing(codec)
  const push = (text: string) =>
    decoder
      .push({ type: 'text', text })
      .map((each) => ('text' in each ? `${each.type}:${each.text}` : each.type))
  expect(push('{"reaso')).toEqual([])
  expect(push('ning":"I thi')).toEqual(['reasoning:I thi'])
  expect(push('nk","action":"finish","content":"To')).toEqual(['reasoning:nk', 'text:To'])
  expect(push('tal \\')).toEqual(['text:tal '])
  expect(push('n5"}')).toEqual(['text:\n5'])
})

test.each([
  ['a fence and words around it', `Sure, here:\n\`\`\`json\n${now}\n\`\`\`\n`],
  ['words before it', `I call: ${now}`],
  ['another word for the action', now.replace('tool_call"', 'tool_calls"')],
  ['no action', now.replace('"action":"tool_call",', '')],
  ['an object for the list', now.replace('[', '').replace(']', '')],
  ['args', now.replace('arguments', 'args')],
  ['parameters', now.replace('arguments', 'parameters')],
  ['input', now.replace('arguments', 'input')],
  ['tool for name', now.replace('"name"', '"tool"')],
  [
    'a nested function',
    now.replace('{"name"', '{"id":"c","type":"function","function":{"name"').replace('}}]', '}}}]'),
  ],
  [
    'arguments before the name',
    now.replace(/\{"name":"time.now",("arguments":.*?\})\}/, '{$1,"name":"time.now"}'),
  ],
  ['arguments as text', now.replace('{"zone":"上海"}', '"{\\"zone\\":\\"上海\\"}"')],
  ['a trailing comma', now.replace('}}]', '},}]')],
  ['a comment', now.replace('"tool_calls"', '/* now */ "tool_calls"')],
  ['single quotes', now.replaceAll('"', "'").replace("'action'", '"action"')],
  ['curly quotes', now.replace('"上海"', '“上海”')],
  ['an end that also finishes', now.replace('tool_call"', 'finish"')],
  ['the call alone', '{"name":"time.now","arguments":{"zone":"上海"}}'],
])('E-13 E-15 E-16 a call with %s is the same call', (_, text) => {
  expect(callsOf(text)).toEqual([['time.now', { zone: '上海' }]])
  expect(read(text).text).not.toMatch(/[{}[\]]/)
})

test('E-13 two answers that call are one, and what was mended is told', () => {
  expect(callsOf(`${now}\n${now}`)).toHaveLength(2)
  expect(read(now).warnings).toEqual([])
  expect(read(now.replace('}}]', '},}]')).warnings).toHaveLength(1)
  expect(read(`${now.replace('tool_call"', 'finish"')}`).warnings).toHaveLength(1)
})

test('E-13 a line break within a string is read as one', () => {
  expect(callsOf(now.replace('上海', 'a\nb'))).toEqual([['time.now', { zone: 'a\nb' }]])
})

test.each([
  ['arguments with a word that is no JSON', now.replace('"上海"', '007')],
  ['a missing comma', now.replace('"time.now",', '"time.now"')],
  ['a bad escape', now.replace('上海', '\\d+')],
  ['no calls', '{"action":"tool_call","tool_calls":[]}'],
  ['calls that are words', '{"action":"tool_call","tool_calls":["time.now"]}'],
  ['no name', '{"action":"tool_call","tool_calls":[{"arguments":{}}]}'],
])('E-12 E-14 with %s it is told as a broken call, and none of it to the reader', (_, text) => {
  const { calls, text: said } = read(text)
  expect(said).toBe('')
  expect(calls).toHaveLength(1)
  const [call] = calls
  if (call?.name !== '' || call.invalid !== undefined) {
    expect(call?.invalid?.code).toBe('args_json')
    expect(() => JSON.parse(call?.raw ?? '')).toThrow()
  }
})

test.each([
  ['""', ''],
  ['null', 'null'],
  ['[1]', '[1]'],
  ['5', '5'],
  ['"words"', 'words'],
])('E-15 arguments %s go on as they are: nothing is made of them here', (given, raw) => {
  expect(read(now.replace('{"zone":"上海"}', given)).calls[0]?.raw).toBe(raw)
})

test('an answer whose words were cut off keeps them; one that had not come to its calls is broken', () => {
  expect(read('{"action":"finish","content":"So fa', 'length')).toMatchObject({ calls: [], text: 'So fa' })
  expect(read('{"reasoning":"I will', 'length').calls[0]?.invalid?.code).toBe('truncated')
  expect(read('{"action":"tool_call","tool_calls":[{"na', 'length').calls[0]?.invalid?.code).toBe('truncated')
})
