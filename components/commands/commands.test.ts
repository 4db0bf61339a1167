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

const onEscape = (id: string, more: Partial<Command> = {}): Command => ({
  id,
  label: id,
  group: 'Edit',
  keys: ['Escape'],
  canRun: () => true,
  run: () => undefined,
  ...more,
})

test('a key goes to the last registered command that can run', () => {
  const menu = onEscape('menu.close', { canRun: () => false })
  const commands = [onEscape('outline.leave'), onEscape('canvas.let-go'), menu]
  expect(commandFor(commands, 'Escape', false)?.id).toBe('canvas.let-go')
})

test('Escape closes what is open first, then stops the run, then clears the selection, in every order of registration', () => {
  let isListOpen = true
  let isGoing = true
  const list = onEscape('list.close', { rank: 'open', canRun: () => isListOpen })
  const stop = onEscape('run.stop', { rank: 'stop', canRun: () => isGoing })
  const letGo = onEscape('canvas.let-go')
  const orders = [
    [list, stop, letGo],
    [list, letGo, stop],
    [stop, list, letGo],
    [stop, letGo, list],
    [letGo, list, stop],
    [letGo, stop, list],
  ]
  for (const commands of orders) {
    isListOpen = true
    isGoing = true
    expect(commandFor(commands, 'Escape', false)?.id).toBe('list.close')
    isListOpen = false
    expect(commandFor(commands, 'Escape', false)?.id).toBe('run.stop')
    isGoing = false
    expect(commandFor(commands, 'Escape', false)?.id).toBe('canvas.let-go')
  }
})

test('a field or a menu keeps Escape while a run is active, unless stopping is said to work while typing', () => {
  const stop = onEscape('run.stop', { rank: 'stop' })
  expect(commandFor([stop], 'Escape', true)).toBeUndefined()
  expect(commandFor([{ ...stop, whileTyping: true }], 'Escape', true)?.id).toBe('run.stop')
})

test('while a person types, only commands that allow it run', () => {
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
