import { expect, test } from 'vitest'
import { jsonFence } from './json-fence'
import { asText, heard, inPieces, tools } from './speaking.fixture'

const codec = jsonFence.open(tools, 'user_message')
const read = (text: string, reason: 'stop' | 'length' = 'stop') => {
  const whole = heard(codec, asText(text), reason)
  expect(heard(codec, inPieces(asText(text)), reason)).toEqual(whole)
  return whole
}
const fence = (inner: string, info = 'json') => `\`\`\`${info}\n${inner}\n\`\`\``
const create = '{"function_name":"files.create","path":"a"}'

test('S1-20 two fenced blocks are two calls; the words between stay, the JSON is not told', () => {
  const said = read(`I look.\n${fence(create)}\nThen:\n${fence('{"function_name":"time.now"}')}\nDone.`)
  expect(said).toMatchObject({ order: 'tctct', text: 'I look.\n\nThen:\n\nDone.' })
  expect(said.calls.map(({ name, raw }) => [name, JSON.parse(raw)])).toEqual([
    ['files.create', { path: 'a' }],
    ['time.now', {}],
  ])
})

test.each([
  ['no word at the fence', fence(create, '')],
  ['a longer fence', fence(create).replaceAll('```', '````')],
  ['other space', fence(`\n  ${create}  \n`, ' json ')],
  ['its name last', fence('{"path":"a","function_name":"files.create"}')],
  ['a trailing comma', fence('{"function_name":"files.create","path":"a",}')],
  ['no end of the fence', fence(create).slice(0, -4)],
  ['no fence at all', create],
])('a call with %s is the same call', (_, text) => {
  const { calls, text: said } = read(text)
  expect(calls).toMatchObject([{ name: 'files.create', raw: '{"path":"a"}' }])
  expect(calls[0]?.invalid).toBeUndefined()
  expect(said).toBe('')
})

test('several calls may stand in one fence', () => {
  expect(read(fence(`${create}\n${create},\n${create}`)).calls).toHaveLength(3)
})

test('a parameter may bear the name that tells the tool', () => {
  const text = fence('{"function_name":"files.create","path":"a","function_name":"mine"}')
  expect(JSON.parse(read(text).calls[0]?.raw ?? '')).toEqual({ path: 'a', function_name: 'mine' })
})

test.each([
  fence('{"total": 5}'),
  fence('{"name": "x", "nested": {"function_name": "time.now"}}'),
  fence('not JSON'),
  fence('{not JSON'),
  fence(create, 'python'),
  'words `code` {"a": 1} ``` not a fence',
  fence('[1, 2]'),
])('E-10 %j is something said', (text) => {
  expect(read(text)).toMatchObject({ calls: [], text })
  expect(read(`${text}\n\n${fence(create)}`).calls).toHaveLength(text.startsWith('words') ? 1 : 1)
})

test.each([
  ['a word that is no JSON', '{"function_name":"files.create","path":x}'],
  ['a missing comma', '{"function_name":"files.create" "path":"a"}'],
])('E-12 with %s it is told as a broken call, and none of it to the reader', (_, inner) => {
  const { calls, text } = read(`One\n${fence(inner)}\nTwo`)
  expect(calls).toMatchObject([{ name: 'files.create', invalid: { code: 'args_json' } }])
  expect(() => JSON.parse(calls[0]?.raw ?? '')).toThrow()
  expect(text).toBe('One\n\nTwo')
})

test('E-14 what was cut off within a call is broken, and within other JSON is text', () => {
  expect(read('```json\n{"function_name":"files.cre', 'length').calls[0]?.invalid?.code).toBe('truncated')
  expect(read('```json\n{"total": 5', 'length')).toMatchObject({ calls: [], text: '```json\n{"total": 5' })
})
