import { expect, test } from 'vitest'
import { colourCode } from './code-colours'
import { colouredLanguage } from './coloured-languages'

test.each([
  ['sql', "select 1 -- one\nfrom t where a = 'b'"],
  ['json', '{"a": [1, true, null]}'],
  ['typescript', 'const a: number = 1 // one'],
  ['javascript', 'a ('],
] as const)('the pieces of %s are the code, unchanged', (language, code) => {
  const pieces = colourCode(code, language)
  expect(pieces.map(({ text }) => text).join('')).toBe(code)
})

test('keywords, strings and comments have colours of their own', () => {
  const pieces = colourCode("select 'b' -- why", 'sql')
  const classOf = (wanted: string) => pieces.find(({ text }) => text === wanted)?.classes
  expect([classOf('select'), classOf("'b'"), classOf('-- why')]).toEqual([
    'tok-keyword',
    'tok-string',
    'tok-comment',
  ])
})

test('a language is found by its usual names, and a very long code stays plain', () => {
  expect(['SQL', 'js', 'ts', 'json', 'brainfuck', ''].map((each) => colouredLanguage(each, 'x'))).toEqual([
    'sql',
    'javascript',
    'typescript',
    'json',
    undefined,
    undefined,
  ])
  expect(colouredLanguage('sql', 'x'.repeat(20_001))).toBeUndefined()
})
