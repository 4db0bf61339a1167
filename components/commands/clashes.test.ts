/** Checks that each key of the builder has one meaning at a time. */
import type { useReactFlow } from '@xyflow/react'
import { expect, test } from 'vitest'
import { builderCommands } from '#components/builder/builder-commands'
import { addCommands } from '#components/canvas/add-commands'
import { createCanvasUi } from '#components/canvas/canvas-ui'
import type { Desk } from '#components/canvas/desk'
import { editCommands } from '#components/canvas/edit-commands'
import { viewCommands } from '#components/canvas/view-commands'
import { createGraphStore } from '#components/drawing/graph-store'
import { outlineCommands } from '#components/outline/outline-commands'
import { keyGroups } from '#components/shell/key-sheet'
import { pageCommands } from '#components/shell/page-commands'
import { catalog } from '#lib/graph/catalog.fixture'
import { emptyGraph } from '#lib/spec/graph'
import { clashesIn } from './commands'

const nothing = () => undefined

/** In the order in which the builder registers them: inner components come first. */
function commandsOfTheBuilder() {
  const desk: Desk = {
    store: createGraphStore({ graph: emptyGraph, catalog }),
    ui: createCanvasUi(),
    flow: {} as ReturnType<typeof useReactFlow>, // cast: no command runs here
    canvas: { current: null },
    fitView: nothing,
    pasteFrom: nothing,
  }
  const builder = builderCommands({
    ask: nothing,
    stop: nothing,
    isGoing: () => false,
    save: nothing,
    isWhole: () => true,
    rename: nothing,
    duplicate: nothing,
    chat: nothing,
    bareChat: nothing,
    publish: nothing,
    versions: nothing,
    connect: nothing,
    tools: nothing,
    remove: nothing,
    exportFile: nothing,
    copyJson: nothing,
    copyLine: nothing,
    outline: nothing,
    inspectCard: nothing,
    isOnCard: () => false,
    toRegion: nothing,
  })
  return [
    ...outlineCommands(),
    ...editCommands(desk),
    ...addCommands(desk),
    ...viewCommands(desk),
    ...builder,
    ...pageCommands({ open: nothing, goTo: nothing, hasDrawing: () => true }),
  ]
}

test('no key of the builder does two things at once', () => {
  expect(clashesIn(commandsOfTheBuilder())).toEqual([])
})

test('every command has an id of its own', () => {
  const ids = commandsOfTheBuilder().map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('the sheet holds every key, the canvas’s own and the outline’s among them', () => {
  const groups = keyGroups(commandsOfTheBuilder())
  expect(groups.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Run', 'Edit', 'Add', 'View', 'Outline']),
  )
  const keys = groups.flatMap((each) => each.commands.flatMap((command) => command.keys ?? []))
  for (const key of ['Mod+K', 'Mod+F', '?', 'Mod+Enter', 'Mod+Z', 'Delete', 'Mod+S'])
    expect(keys).toContain(key)
})
