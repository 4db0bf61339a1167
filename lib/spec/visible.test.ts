import { expect, test } from 'vitest'
import { visible } from './visible'

test('T38 what hides in a text, or turns it round, is seen', () => {
  expect(visible('safe\u202egnp.exe')).toBe('safe⟨U+202E⟩gnp.exe')
  expect(visible('a\u200bb\ufeffc')).toBe('a⟨U+200B⟩b⟨U+FEFF⟩c')
  expect(visible('\u001b[2Kgone\rback')).toBe('⟨U+001B⟩[2Kgone⟨U+000D⟩back')
  expect(visible('x\u{e0041}y')).toBe('x⟨U+E0041⟩y')
})

test('T38 what a person writes stays as it is', () => {
  const text = 'Größe 12 €\n\tनमस्ते 日本語 👩‍💻'.replaceAll('\u200d', '')
  expect(visible(text)).toBe(text)
})

test.each([
  '\u034f',
  '\u115f',
  '\u17b4',
  '\u180b',
  '\u2800',
  '\u3164',
  '\ufe00',
  '\uffa0',
  '\u{1d173}',
  '\u{e0100}',
])('what takes no room or leaves no ink is seen: %j', (hidden) => {
  expect(visible(`a${hidden}b`)).toMatch(/^a⟨U\+[0-9A-F]+⟩b$/)
})

test('the sign that gives a picture its colours is seen behind a letter alone', () => {
  expect(visible('❤️ 1️⃣')).toBe('❤️ 1️⃣')
  expect(visible('a\ufe0fb')).toBe('a⟨U+FE0F⟩b')
})
