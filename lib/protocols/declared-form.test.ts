import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { XmlForm } from '#lib/spec/toolkit'
import { allProtocols, asText, boundTool, heard, inPieces } from './speaking.fixture'
import { xml } from './xml'
import { declaredCall } from './xml-encode'

const form: XmlForm = { name: 'str_replace_editor', attributes: ['command', 'path', 'lines'] }
const editor = {
  ...boundTool('files.edit', {
    type: 'object',
    properties: {
      command: { type: 'string' },
      path: { type: 'string' },
      lines: { type: 'array', items: { type: 'integer' } },
      old_str: { type: 'string' },
      name: { type: 'string' },
      invoke: { type: 'string' },
      'new str': { type: 'string' },
    },
    required: ['path'],
  }),
  xml: form,
}
const other = boundTool('other', { type: 'object', properties: { path: { type: 'string' } } })
const codec = xml.open([editor, other], 'user_message')
const callsIn = (text: string, of = codec) => {
  const block = `<function_calls>\n${text}\n</function_calls>`
  const whole = heard(of, asText(block), 'stop')
  expect(heard(of, inPieces(asText(block)), 'stop')).toEqual(whole)
  expect(whole.calls.map(({ invalid }) => invalid)).toEqual(whole.calls.map(() => undefined))
  return whole.calls.map(({ name, raw }) => [name, JSON.parse(raw)])
}

describe('a tool that declares its form in XML (S0-07)', () => {
  test.each([
    '<invoke name="str_replace_editor" command="str_replace" path="a"><old_str>x</old_str></invoke>',
    '<invoke name="str_replace_editor"><parameter name="command">str_replace</parameter><parameter name="path">a</parameter><parameter name="old_str">x</parameter></invoke>',
    '<invoke name="files.edit" command="str_replace"><path>a</path><parameter name="old_str">x</parameter></invoke>',
  ])('is called by it and by the general form, with identical arguments: %s', (text) => {
    expect(callsIn(text)).toEqual([['files.edit', { command: 'str_replace', path: 'a', old_str: 'x' }]])
  })

  test('is described in it, and its example is written in it; native calls and the other formats know nothing of it', () => {
    const shown = { ...editor, example: '{"command":"view","path":"a","old_str":"1 < 2"}' }
    for (const protocol of allProtocols) {
      const said = (tool: typeof shown) =>
        JSON.stringify(
          protocol
            .open([tool], protocol.placements[0] ?? 'tool_message')
            .encode({ instructions: 'Be brief.', messages: [], offerTools: true }),
        )
      const { xml: _, ...plain } = shown
      if (protocol.id !== 'xml') expect(said(shown), protocol.id).toBe(said({ ...plain } as typeof shown)) // cast: the form is optional in a tool
    }
    const { instructions } = xml
      .open([shown], 'user_message')
      .encode({ instructions: '', messages: [], offerTools: true })
    expect(instructions).toContain(
      'Write a call of it as:\n<invoke name="str_replace_editor" command="…" path="…" lines="…">\n<old_str>…</old_str>\n<name>…</name>\n',
    )
    expect(instructions).toContain(
      '<invoke name="str_replace_editor" command="view" path="a">\n<old_str><![CDATA[1 < 2]]></old_str>\n</invoke>',
    )
    expect(xml.describe?.(shown, 'zh')).toContain('调用写法：\n<invoke name="str_replace_editor"')
  })

  test('gives back any arguments that are written in it', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 })
    const args = fc.record(
      {
        command: text,
        path: text,
        lines: fc.array(fc.integer(), { maxLength: 4 }),
        old_str: fc.oneof(text, fc.constantFrom('<old_str>', '</old_str></invoke>', 'a\n', ']]>', '"&quot;')),
        name: text,
        invoke: text,
        'new str': text,
      },
      { requiredKeys: ['path'] },
    )
    fc.assert(
      fc.property(args, (given) => {
        expect(callsIn(declaredCall(form, given as JsonObject))).toEqual([['files.edit', given]]) // cast: all its values are JSON
      }),
    )
  })

  test('does not take the name of another tool', () => {
    const both = xml.open([{ ...editor, xml: { ...form, name: 'other' } }, other], 'user_message')
    expect(callsIn('<invoke name="other" path="a"></invoke>', both)).toEqual([['other', { path: 'a' }]])
  })
})
