import { describe, expect, test } from 'vitest'
import type { SharedName } from '#lib/spec/tool'
import { fitArgs } from '../fit/args'
import { calls, collect, createRig, createTool, of, text } from '../rig.fixture'
import { nameOfCall, namesOf } from './names'

const editor: SharedName = {
  name: 'editor',
  argument: 'command',
  tools: { view: 'files.view', create: 'files.create', insert: 'files.insert' },
}
const parameters = (...keys: string[]) => ({
  type: 'object' as const,
  properties: Object.fromEntries(keys.map((key) => [key, {}])),
  additionalProperties: false,
})
const sharing = { sharedNames: [editor] }
const view = createTool('files.view', {
  ...sharing,
  parameters: parameters('path', 'start', 'end'),
  argumentAliases: { view_range: ['start', 'end'] },
})
const create = createTool('files.create', { ...sharing, aliases: ['editor'], parameters: parameters('path') })

describe('S1-06 a name that several tools share', () => {
  const names = namesOf([view, create])

  test.each([
    ['the tool that an argument names', { command: 'view' }, 'files.view'],
    ['that tool, even where it is not offered', { command: 'insert' }, 'files.insert'],
    ['the tool whose own alias it is, without that argument', {}, 'files.create'],
    ['the same, for a value that names none', { command: 'constructor' }, 'files.create'],
    ['the same, for a value of another type', { command: ['view'] }, 'files.create'],
  ])('leads to %s', (_, args, name) => {
    expect(nameOfCall(names, 'editor', args)).toBe(name)
  })

  test('leads to a tool under its new name, and gives way to a tool that is called so', () => {
    const renamed = { ...view, name: 'look' }
    expect(nameOfCall(namesOf([renamed, create]), 'editor', { command: 'view' })).toBe('look')
    const own = createTool('editor')
    expect(nameOfCall(namesOf([view, create, own]), 'editor', { command: 'view' })).toBe('editor')
    expect(nameOfCall(names, 'other', { command: 'view' })).toBe('other')
  })

  test('is no argument of the tool, and an unknown value is told the known ones', () => {
    expect(fitArgs(create, { command: 'create', path: 'a' })).toEqual({ args: { path: 'a' } })
    expect(fitArgs(create, { command: 'undo_edit', path: 'a' })).toEqual({
      invalid: {
        code: 'args_schema',
        message: 'There is no command "undo_edit": editor takes view, create, insert.',
      },
    })
    expect(fitArgs(create, { command: 'view', path: 'a' })).toHaveProperty('invalid')
    const own = { ...create, parameters: parameters('path', 'command') }
    expect(fitArgs(own, { command: 'undo_edit' })).toEqual({ args: { command: 'undo_edit' } })
  })

  test.each([
    [[3, 9], { start: 3, end: 9 }],
    [[3, -1], { start: 3 }],
    [[3], { start: 3 }],
  ])('S3-13 a list %j under another name gives several arguments', (range, args) => {
    expect(fitArgs(view, { view_range: range })).toEqual({ args })
  })

  test('a list that is too long, or meets an argument that was sent, is refused', () => {
    expect(fitArgs(view, { view_range: [1, 2, 3] })).toHaveProperty('invalid')
    expect(fitArgs(view, { view_range: [1, 2], start: 4 })).toHaveProperty('invalid')
  })

  test('is resolved in a run before its policies are asked and its body runs', async () => {
    const play = [calls({ name: 'editor', args: { command: 'view', path: 'a' } }), text('ok')]
    const { deps } = createRig({ play, tools: [view, create] })
    const events = await collect(deps)
    expect(of(events, 'call.started')).toMatchObject([{ name: 'files.view', args: { path: 'a' } }])
    expect(view.ran).toHaveLength(1)
    expect(create.ran).toHaveLength(0)
  })
})
