/** Commands that change the drawing or the selection. */
import type { Command } from '#components/commands/commands'
import { deleteSelection, duplicateSelection } from '#components/drawing/part'
import { copySelection, cutSelection } from './clipboard'
import type { Desk } from './desk'
import { gridStep } from './flow-types'
import {
  chosenBoxes,
  frameSelection,
  hasChosen,
  nudge,
  onlyChosen,
  selectAll,
  toggleSelection,
} from './selection-edits'
import { tidyUp } from './tidy-up'

export function editCommands(desk: Desk): Command[] {
  const { store, ui } = desk
  const group = 'Edit'
  const state = () => store.getState()
  const isChosen = () => hasChosen(state())
  return [
    {
      id: 'canvas.undo',
      label: 'Undo',
      group,
      icon: 'undo-2',
      keys: ['Mod+Z'],
      canRun: () => state().history.past.length > 0,
      run: () => state().undo(),
    },
    {
      id: 'canvas.redo',
      label: 'Redo',
      group,
      icon: 'redo-2',
      keys: ['Mod+Shift+Z', 'Mod+Y'],
      canRun: () => state().history.future.length > 0,
      run: () => state().redo(),
    },
    ...clipboardCommands(desk),
    {
      id: 'canvas.duplicate',
      label: 'Duplicate',
      group,
      icon: 'copy-plus',
      keys: ['Mod+D'],
      canRun: isChosen,
      run: () => duplicateSelection(store),
    },
    {
      id: 'canvas.delete',
      label: 'Delete',
      group,
      icon: 'trash-2',
      keys: ['Delete', 'Backspace'],
      canRun: () => isChosen() || state().selection.edges.length > 0,
      run: () => deleteSelection(store),
    },
    {
      id: 'canvas.rename',
      label: 'Rename, or edit in place',
      group,
      icon: 'pencil',
      keys: ['F2'],
      canRun: () => onlyChosen(state()) !== undefined,
      run: () => rename(desk),
    },
    {
      id: 'canvas.switch',
      label: 'Switch off or on',
      group,
      icon: 'power',
      keys: ['D'],
      canRun: () => state().selection.nodes.length > 0,
      run: () => toggleSelection(store),
    },
    {
      id: 'canvas.frame',
      label: 'Frame the selection',
      group,
      icon: 'square-dashed',
      keys: ['G', 'Mod+G'],
      canRun: () => chosenBoxes(state()).length > 0,
      run: () => {
        const id = frameSelection(store)
        if (id !== undefined) ui.setState({ writing: id })
      },
    },
    {
      id: 'canvas.select-all',
      label: 'Select all',
      group,
      icon: 'layers',
      keys: ['Mod+A'],
      run: () => selectAll(store),
    },
    {
      id: 'canvas.let-go',
      label: 'Clear selection',
      group,
      isUnlisted: true,
      keys: ['Escape'],
      canRun: () => isChosen() || state().selection.edges.length > 0,
      run: () => state().select({}),
    },
    {
      id: 'canvas.tidy',
      label: 'Tidy up',
      group,
      icon: 'workflow',
      keys: ['Shift+L'],
      canRun: () => state().nodes.length > 0,
      run: () => void tidyUp(desk),
    },
    ...moveCommands(desk),
  ]
}

/**
 * The shortcuts use the browser's copy and paste events, which provide the clipboard without asking; a
 * command run by name must use the clipboard API.
 */
function clipboardCommands({ store, pasteFrom }: Desk): Command[] {
  const canRun = () => hasChosen(store.getState())
  const write = (text: string | undefined) => {
    if (text === undefined) return
    void Promise.resolve(navigator.clipboard?.writeText(text)).catch(() =>
      store
        .getState()
        .say('The browser blocked writing to the clipboard. Use the keyboard shortcut instead.'),
    )
  }
  const read = () =>
    void Promise.resolve(navigator.clipboard?.readText()).then(
      (text) => pasteFrom(text ?? ''),
      () =>
        store.getState().say('The browser blocked reading the clipboard. Use the keyboard shortcut instead.'),
    )
  const shared = { group: 'Edit', isNative: true }
  return [
    {
      ...shared,
      id: 'canvas.cut',
      label: 'Cut',
      icon: 'scissors',
      keys: ['Mod+X'],
      canRun,
      run: () => write(cutSelection(store)),
    },
    {
      ...shared,
      id: 'canvas.copy',
      label: 'Copy',
      icon: 'copy',
      keys: ['Mod+C'],
      canRun,
      run: () => write(copySelection(store)),
    },
    { ...shared, id: 'canvas.paste', label: 'Paste', icon: 'clipboard-paste', keys: ['Mod+V'], run: read },
  ]
}

const ways = [
  { key: 'ArrowUp', word: 'up', x: 0, y: -1 },
  { key: 'ArrowDown', word: 'down', x: 0, y: 1 },
  { key: 'ArrowLeft', word: 'left', x: -1, y: 0 },
  { key: 'ArrowRight', word: 'right', x: 1, y: 0 },
]

/**
 * When a card has the focus, the canvas library moves it with the same keys; these commands are for when none
 * has.
 */
function moveCommands({ store, canvas }: Desk): Command[] {
  const canRun = () => hasChosen(store.getState()) && isFree(canvas.current)
  return ways.map(({ key, word, x, y }) => ({
    id: `canvas.move-${word}`,
    label: `Move ${word} (with Shift, four steps)`,
    group: 'Edit',
    isUnlisted: true,
    keys: [key, `Shift+${key}`],
    canRun,
    run: (pressed) => {
      const step = pressed?.startsWith('Shift+') === true ? 4 * gridStep : gridStep
      nudge(store, { x: x * step, y: y * step })
    },
  }))
}

/** Whether the arrow keys are free: the focus is on the canvas, or nowhere. */
function isFree(canvas: HTMLElement | null): boolean {
  const focus = document.activeElement
  return focus === null || focus === document.body || canvas?.contains(focus) === true
}

function rename({ store, ui }: Desk): void {
  const id = onlyChosen(store.getState())
  if (id !== undefined) ui.setState({ writing: id })
}
