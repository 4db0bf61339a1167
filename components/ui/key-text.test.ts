import { expect, test } from 'vitest'
import { keyText } from './key-text'

test('keys are told as they stand on the keyboard', () => {
  expect(keyText('Mod+Shift+Z', true)).toBe('⌘ ⇧ Z')
  expect(keyText('Mod+Shift+Z', false)).toBe('Ctrl Shift Z')
  expect(keyText('Mod++', false)).toBe('Ctrl +')
})
