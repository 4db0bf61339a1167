import { expect, test } from 'vitest'
import { type Command, clashesIn, commandFor, keyOf } from './commands'

const press = (
  key: string,
  held: Partial<Record<'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey', true>> = {},
) => keyOf({ key, metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, ...held })

test('a press reads the same on a Mac and elsewhere', () => {
  expect(press('z', { metaKey: true, shiftKey: true })).toBe('Mod+Shift+Z')
  expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+Z')
})

test('a sign that needs Shift on some keyboards stands for itself', () => {
  expect(press('?', { shiftKey: true })).toBe('?')
  expect(press('+', { ctrlKey: true })).toBe('Mod++')
})

test('a key goes to the last command said that can be done', () => {
  const said: string[] = []
  const command = (id: string, can: boolean): Command => ({
    id,
    label: id,
    group: 'Edit',
    keys: ['Escape'],
    canRun: () => can,
    run: () => void said.push(id),
  })
  const commands = [command('run.stop', true), command('canvas.let-go', true), command('menu.close', false)]
  expect(commandFor(commands, 'Escape', false)?.id).toBe('canvas.let-go')
})

test('while a person types only those commands run that say so', () => {
  const find: Command = { id: 'find', label: 'Find', group: 'View', keys: ['Mod+K'], run: () => undefined }
  expect(commandFor([find], 'Mod+K', true)).toBeUndefined()
  expect(commandFor([{ ...find, whileTyping: true }], 'Mod+K', true)?.id).toBe('find')
})

test('a key that means two things at once is a clash, unless the later command can tell whether it is meant', () => {
  const command = (id: string, more: Partial<Command> = {}): Command => ({
    id,
    label: id,
    group: 'Edit',
    keys: ['D'],
    run: () => undefined,
    ...more,
  })
  expect(clashesIn([command('a'), command('b')])).toEqual(['D: a, b'])
  expect(clashesIn([command('a'), command('b', { canRun: () => true })])).toEqual([])
  expect(clashesIn([command('a'), command('b', { isNative: true })])).toEqual([])
})
