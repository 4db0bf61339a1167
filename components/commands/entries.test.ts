import { expect, test } from 'vitest'
import type { Command } from './commands'
import { commandEntries, type Entry, rememberChoice, searchEntries } from './entries'

const entry = (id: string, group: string, more: Partial<Entry> = {}): Entry => ({
  id,
  label: id,
  group,
  run: () => undefined,
  ...more,
})
const entries = [
  entry('Undo', 'Edit'),
  entry('Redo', 'Edit'),
  entry('sql.execute', 'On the canvas', { isDrawn: true, detail: 'Tool, read' }),
  entry('Steps', 'Add a part', { words: ['limit'] }),
]
const ask = (query: string, more: { recent?: string[]; isDrawnOnly?: boolean } = {}) =>
  searchEntries({ entries, query, recent: [], isDrawnOnly: false, ...more }).map(
    ({ label, entries: list }) => [label, ...list.map((each) => each.id)],
  )

test('with nothing typed, what was chosen last stands first and only there', () => {
  expect(ask('', { recent: ['Steps', 'gone'] })).toEqual([
    ['Recent', 'Steps'],
    ['Edit', 'Undo', 'Redo'],
    ['On the canvas', 'sql.execute'],
  ])
})

test('a query finds by letters in their order, by detail and by other words, the best heading first', () => {
  expect(ask('sqlex')[0]).toEqual(['On the canvas', 'sql.execute'])
  expect(ask('undo')[0]).toEqual(['Edit', 'Undo'])
  expect(ask('limit')).toEqual([['Add a part', 'Steps']])
  expect(ask('zzz')).toEqual([])
})

test('every word of a query counts, in any order, with or without the dots of a name', () => {
  for (const query of ['sql execute', 'execute sql', 'SQL.EX', 'read execute'])
    expect(ask(query)).toEqual([['On the canvas', 'sql.execute']])
  expect(ask('sql undo')[0]?.[0]).toBe('Nothing matches “sql undo”. Nearest:')
})

test('a query without a match shows the nearest entries, and what always helps', () => {
  const list = [entry('Time limit', 'Add a part'), entry('Code tool', 'Add a part', { isFallback: true })]
  const asked = (query: string) =>
    searchEntries({ entries: list, query, recent: [], isDrawnOnly: false }).map(
      ({ label, entries: found }) => [label, ...found.map(({ id }) => id)],
    )
  expect(asked('timeuot')).toEqual([['Nothing matches “timeuot”. Nearest:', 'Time limit', 'Code tool']])
  expect(asked('xyzzy')).toEqual([['Nothing matches “xyzzy”. Nearest:', 'Code tool']])
})

test('letters in their order count only where no name holds the word itself', () => {
  const list = [entry('do', 'Edit'), entry('download', 'Edit')]
  const asked = (query: string) =>
    searchEntries({ entries: list, query, recent: [], isDrawnOnly: false }).flatMap((each) =>
      each.entries.map(({ id }) => id),
    )
  expect(asked('do')).toEqual(['do', 'download'])
  expect(asked('dld')).toEqual(['download'])
})

test('find on the canvas lists what is drawn, and nothing else', () => {
  expect(ask('', { isDrawnOnly: true })).toEqual([['On the canvas', 'sql.execute']])
  expect(ask('undo', { isDrawnOnly: true })).toEqual([])
})

test('commands that cannot be done now, or are for the sheet only, are not offered', () => {
  const command = (id: string, more: Partial<Command> = {}): Command => ({
    id,
    label: id,
    group: 'Edit',
    run: () => undefined,
    ...more,
  })
  const offered = commandEntries([
    command('a', { keys: ['Mod+A', 'A'] }),
    command('b', { isUnlisted: true }),
    command('c', { canRun: () => false }),
  ])
  expect(offered.map(({ id, keys }) => [id, keys])).toEqual([['a', 'Mod+A']])
})

test('what is chosen comes to the front of what is remembered', () => {
  expect(rememberChoice(['a', 'b'], 'b')).toEqual(['b', 'a'])
})
