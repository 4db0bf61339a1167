import { expect, test } from 'vitest'
import { native } from './native'
import { asText, heard, inPieces, listing, tools } from './speaking.fixture'
import { xml } from './xml'

const codec = xml.open(tools, 'user_message')
const read = (text: string, reason: 'stop' | 'length' = 'stop') => {
  const whole = heard(codec, asText(text), reason)
  expect(heard(codec, inPieces(asText(text)), reason)).toEqual(whole)
  return whole
}
const argsOf = (text: string) => {
  const { calls } = read(text)
  expect(calls.every(({ invalid }) => invalid === undefined)).toBe(true)
  return calls.map(({ name, raw }) => ({ name, ...JSON.parse(raw) }))
}
const invoke = (inner: string, name = 'files.create') =>
  `<function_calls>\n<invoke name="${name}">\n${inner}\n</invoke>\n</function_calls>`
const content = (value: string) =>
  argsOf(invoke(`<parameter name="path">a</parameter>\n<parameter name="content">${value}</parameter>`))[0]
    ?.content

test('S0-13 E-06 E-07 three blocks with words around them: each call in its place, words kept', () => {
  const block = invoke('', 'time.now')
  const said = read(`One\n${block}\nTwo\n${block}\n\n${block}\nThree`)
  expect(said).toMatchObject({ order: 'tctcct' })
  expect(said.text).toBe('One\n\nTwo\n\nThree')
  expect(
    argsOf(`<function_calls>${'<invoke name="time.now"></invoke>'.repeat(3)}</function_calls>`),
  ).toHaveLength(3)
})

test.each([
  ['a<b && Map<string, T> &lt;ok&gt; <div>', 'a<b && Map<string, T> &lt;ok&gt; <div>'],
  ['x</parameter> y', 'x</parameter> y'],
  ['x</parameter></div>', 'x</parameter></div>'],
  ['</invoke></function_calls>', '</invoke></function_calls>'],
  ['use <parameter name="y">v</parameter> here', 'use <parameter name="y">v</parameter> here'],
  [
    invoke('<parameter name="p">v</parameter>', 'time.now'),
    invoke('<parameter name="p">v</parameter>', 'time.now'),
  ],
  ['\nline\n', 'line'],
  ['\r\nline\r\n', 'line'],
  ['\n\n  line\n\n', '\n  line\n'],
  ['', ''],
  ['<![CDATA[ a]]b]>]]>', ' a]]b]>'],
  ['\n  <![CDATA[a\n]]>\n', 'a\n'],
  ['<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
  ['<![CDATA[</parameter></invoke>]]>', '</parameter></invoke>'],
  ['<![CDATA[a ]]> b ]]>', 'a ]]> b '],
  ['not whole <![CDATA[x]]>', 'not whole <![CDATA[x]]>'],
])('E-02 E-03 E-04 E-05 E-11 the value %j reads as %j', (written, value) => {
  expect(content(written)).toBe(value)
})

test('E-11 values are typed by the schema alone', () => {
  const typed = (key: string, value: string) =>
    argsOf(invoke(`<parameter name="path">007</parameter><parameter name="${key}">${value}</parameter>`))[0]
  expect(typed('count', ' 12 ')).toEqual({ name: 'files.create', path: '007', count: 12 })
  expect(typed('force', 'true')?.force).toBe(true)
  expect(typed('ratio', 'null')?.ratio).toBe(null)
  expect(typed('tags', '["a", "<b>"]')?.tags).toEqual(['a', '<b>'])
  expect(typed('options', '{"a": {"b": [1]}}')?.options).toEqual({ a: { b: [1] } })
  expect(typed('count', '1_000')?.count).toBe('1_000')
  expect(typed('tags', 'a, b')?.tags).toBe('a, b')
  expect(typed('content', 'true')?.content).toBe('true')
  expect(typed('stranger', '1')?.stranger).toBe('1')
})

test('E-11 a list may come value by value; of other parameters the last value counts, with a warning', () => {
  const tag = (value: string) => `<parameter name="tags">${value}</parameter>`
  const path = '<parameter name="path">a</parameter>'
  expect(argsOf(invoke(path + tag('one') + tag('["two"]') + tag('3')))[0]?.tags).toEqual(['one', 'two', 3])
  const twice = read(invoke(`${path}<parameter name="path">b</parameter>`))
  expect(JSON.parse(twice.calls[0]?.raw ?? '')).toEqual({ path: 'b' })
  expect(twice.warnings).toHaveLength(1)
})

const prefixed = (text: string, prefix: string) =>
  text.replace(/(<\/?)(?=function_calls|invoke|parameter)/g, `$1${prefix}:`)
const plain = invoke('<parameter name="path">a</parameter>')

test.each([
  ['single quotes and more attributes', plain.replace(/="([^"]*)"/g, ' = \'$1\' id="1" ')],
  ['upper case', plain.replace(/<\/?[a-z_]+/g, (tag) => tag.toUpperCase())],
  ['a prefix', prefixed(plain, 'antml')],
  ['a prefix at the ends alone', plain.replace(/<\//g, `$&${'antml'}:`)],
  ['another name of the block', prefixed(plain, 'minimax').replaceAll('function_calls', 'tool_call')],
  ['no block around it', plain.replace(/<\/?function_calls>\n?/g, '')],
  ['an element for the parameter', plain.replace('<parameter name="path">a</parameter>', '<path>a</path>')],
  [
    'an attribute for the parameter',
    plain.replace(/name="files.create"/, 'name="files.create" path="a"').replace(/<par.*r>/, ''),
  ],
  ['no end of the call', plain.replace('</invoke>\n', '')],
])('E-09 a call with %s is the same call', (_, text) => {
  expect(argsOf(text)).toEqual([{ name: 'files.create', path: 'a' }])
})

test.each([
  ['a code fence', (call: string) => `See:\n\`\`\`xml\n${call}\n\`\`\`\nDone.`],
  ['a longer fence', (call: string) => `See:\n\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\`\nDone.`],
  ['a fence of tildes', (call: string) => `See:\n~~~\n${call}\n~~~\n`],
  ['inline code', (call: string) => `Write \`${call.replaceAll('\n', '')}\` to call.`],
  ['inline code of two ticks', (call: string) => `Write \`\` \` ${call.replaceAll('\n', '')}\`\` to call.`],
])('E-10 within %s it is text', (_, around) => {
  const text = around(plain)
  expect(read(text)).toMatchObject({ calls: [], text })
  expect(read(`${text}\n${plain}`).calls).toHaveLength(1)
})

test('a list stands where the model wrote it, while the call streams and at its end', () => {
  const tag = (value: string) => `<parameter name="tags">${value}</parameter>\n`
  const path = '<parameter name="path">a</parameter>\n'
  const text = invoke(`${tag('one')}${tag('two')}${path}<parameter name="count">1</parameter>`)
  const decoder = listing(codec)
  const soFar = decoder.push({ type: 'text', text: text.slice(0, text.indexOf('count')) })
  const raw = soFar.map((each) => (each.type === 'call.args' ? each.text : '')).join('')
  expect(raw).toBe('{"tags":["one","two"],"path":"a')
  expect(read(text).calls[0]?.raw).toBe('{"tags":["one","two"],"path":"a","count":1}')
})

test('items of one list with another parameter between them stand where the first of them was written', () => {
  const tag = (value: string) => `<parameter name="tags">${value}</parameter>`
  const [call] = argsOf(invoke(`${tag('one')}<parameter name="path">a</parameter>${tag('two')}`))
  expect(JSON.stringify(call)).toBe('{"name":"files.create","tags":["one","two"],"path":"a"}')
})

test('the words alone are no call: tags named in a sentence are text', () => {
  for (const text of [
    'The <function_calls> tag opens a block.',
    'a < b, <invoke, </parameter>, <b>',
    'x <',
    '1 <i',
  ])
    expect(read(text)).toMatchObject({ calls: [], text })
})

test('E-01 text is held back only while it may open a tag', () => {
  const decoder = listing(codec)
  const push = (text: string) =>
    decoder.push({ type: 'text', text }).map((each) => (each.type === 'text' ? each.text : each.type))
  expect(push('Hello <')).toEqual(['Hello '])
  expect(push('fun')).toEqual([])
  expect(push('ny> and <')).toEqual(['<funny> and '])
  expect(push('b')).toEqual(['<b'])
  expect(push('\n<function_calls><invoke name="files.create"><parameter name="path">a</par')).toEqual([
    '\n',
    'call.start',
    'call.args',
  ])
  expect(push('ty>b')).toEqual(['call.args'])
})

test.each([
  ['JSON within the block', '<function_calls>{"name":"x"}</function_calls>'],
  ['JSON within the call', invoke('{"path":"a"}')],
  ['a parameter without a name', invoke('<parameter>a</parameter>')],
])('E-12 S0-32 %s is told as a broken call, and none of it to the reader', (_, text) => {
  const { calls, text: said } = read(`One\n${text}\nTwo`)
  expect(calls).toHaveLength(1)
  expect(calls[0]?.invalid?.code).toBe('xml_syntax')
  expect(() => JSON.parse(calls[0]?.raw ?? '')).toThrow()
  expect(said).toBe('One\n\nTwo')
  expect(read(`${text}\n${plain}`).calls).toHaveLength(2)
})

test('E-08 without its last ends a call runs when the model ended by itself and nothing required is missing', () => {
  const cut = plain.slice(0, plain.indexOf('</invoke>'))
  expect(read(cut).calls[0]?.invalid).toBeUndefined()
  expect(read(cut, 'length').calls[0]?.invalid?.code).toBe('truncated')
  const other = invoke('<parameter name="content">a</parameter>')
  expect(read(other.slice(0, other.indexOf('</invoke>'))).calls[0]?.invalid?.code).toBe('truncated')
  expect(read('<function_calls>\n<invoke name="files').calls[0]?.invalid?.code).toBe('truncated')
})

test.each([
  ['its name', '<invoke name="time.now">'],
  ['values in its own tag', '<invoke name="files.create" path="a">'],
  ['a parameter without a value', '<invoke name="files.create"><parameter name="path"/>'],
])('E-08 cut off right behind %s a call never runs, though nothing required is missing', (_, begun) => {
  const text = `<function_calls>\n${begun}\n`
  expect(read(text).calls[0]?.invalid).toBeUndefined()
  expect(read(text, 'length').calls[0]?.invalid?.code).toBe('truncated')
})

test('E-10 an answer that is one fence with a call of an offered tool in it is that call', () => {
  const fenced = (text: string) => `\`\`\`xml\n${text}\n\`\`\`\n`
  expect(read(fenced(plain))).toMatchObject({ text: '', calls: [{ raw: '{"path":"a"}' }] })
  const inner = invoke(
    '<parameter name="path">a</parameter>\n<parameter name="content">\n```\ncode\n```\n</parameter>',
  )
  for (const text of [
    `${fenced(plain)}That is how.`,
    fenced(invoke('', 'no.tool')),
    `Look:\n${fenced(plain)}`,
    `${fenced(inner)}x`,
  ])
    expect(read(text)).toMatchObject({ calls: [], text })
})

test('E-03 a parameter opened within the value and never closed does not swallow the calls after it', () => {
  const value = 'see <parameter name="y">v</par'
  const one = invoke(`<parameter name="path">a</parameter>\n<parameter name="content">${value}</parameter>`)
  expect(argsOf(`${one}\nThen\n${one}`).map(({ content: each }) => each)).toEqual([value, value])
  expect(read(one.slice(0, one.indexOf('</invoke>'))).calls[0]?.invalid?.code).toBe('truncated')
})

test('S0-31 the model is told the form, how values are written, the exact tools and what they require; native says nothing of it', () => {
  const asked = { instructions: '', messages: [], offerTools: true }
  expect(codec.encode(asked).instructions).toMatchInlineSnapshot(`
    "# Tool calling protocol

    You can call the tools listed below. To call, write a block of exactly this form:

    <function_calls>
    <invoke name="tool.name">
    <parameter name="first">value</parameter>
    <parameter name="second">value</parameter>
    </invoke>
    </function_calls>

    Rules:
    - For several calls write several <invoke> in one block; they run in that order.
    - Write text values as they are, without escaping anything. Write numbers, true, false, lists and objects as JSON.
    - A value that holds tags, or begins or ends with a line break, stands as a whole between <![CDATA[ and ]]>. Where ]]> stands in such a value, write ]]]]><![CDATA[> instead.
    - Use the names of tools and parameters exactly as listed, and give every required parameter.
    - Do not put the block into a code fence.
    - End your answer after the block. The results come in the next message, within <function_results>. Never write results yourself.
    - When you need no tool, answer in plain words without any block.

    ## Tools

    ### files.create
    Does files.create.
    Parameters:
      - path (string, required): Where.
      - content (string, optional):
      - count (integer, optional):
      - ratio (number|null, optional):
      - force (boolean, optional):
      - tags (array, optional):
        schema: {"items":{"type":"string"}}
      - options (any, optional):
        schema: {"anyOf":[{"$ref":"#/$defs/options"},{"type":"null"}]}

    ### time.now
    Does time.now."
  `)
  expect(native.open(tools, 'tool_message').encode(asked).instructions).toBe('')
})
