import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, type House, openHouse } from '../house.fixture'

let house: House | undefined
afterEach(async () => {
  await house?.end()
  house = undefined
})

test('S1-06 S3-13 str_replace_editor, file_tool and create_file reach the file tools by their command', async () => {
  house = openHouse()
  const { app } = house
  const path = 'notes/a.md'
  const editor = (args: JsonObject) => ({ name: 'str_replace_editor', args: { path, ...args } })
  const wanted = [
    [editor({ command: 'create', file_text: 'one\ntwo\n' }), 'files.create'],
    [editor({ command: 'str_replace', old_str: 'two', new_str: 'deux' }), 'files.str_replace'],
    [editor({ command: 'insert', insert_line: 1, insert_text: 'between' }), 'files.insert'],
    [editor({ command: 'view', view_range: [2, -1] }), 'files.view'],
    [editor({ old_str: 'one', new_str: 'un' }), 'files.str_replace'],
    [editor({ command: 'undo_edit' }), 'files.str_replace'],
    [{ name: 'file_tool', args: { command: 'upload', filename: 'b.txt', content: 'kept' } }, 'files.create'],
    [{ name: 'file_tool', args: { command: 'get', filename: 'b.txt' } }, 'files.get'],
    [{ name: 'create_file', args: { file_path: 'c.txt', file_text: 'c' } }, 'files.create'],
  ] as const
  const config: JsonObject = {
    name: 'editing',
    model: {
      provider: 'scripted',
      name: 'script',
      paceMs: 0,
      turns: [...wanted.map(([call]): JsonObject => ({ calls: [call] })), { text: 'Done.' }],
    },
    tools: [{ use: 'builtin', tools: ['files.*'] }],
  }
  const { id } = app.runs.create({ agentId: app.agents.create({ config }).id, input: 'Go.' })
  for await (const _frame of app.runs.watch(id, 0, new AbortController().signal));
  const events = eventsIn(app.runs, id)
  const asked = events.flatMap((each) =>
    each.type === 'model.answered'
      ? each.parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
      : [],
  )
  expect(asked).toEqual(wanted.map(([, name]) => name))
  const told = events.flatMap((each) => (each.type === 'call.finished' ? [each.result.text] : []))
  expect(told[3]).toContain('2  between\n3  deux')
  expect(told[5]).toContain(
    'There is no command "undo_edit": str_replace_editor takes view, create, str_replace, insert.',
  )
  expect(told[7]).toBe('kept')
  const failed = events.filter((each) => each.type === 'call.finished' && each.status !== 'ok')
  expect(failed).toHaveLength(1)
}, 30_000)
