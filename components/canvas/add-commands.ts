/** Commands that add something to the drawing at the pointer, or in the middle of the visible canvas. */
import type { Command } from '#components/commands/commands'
import type { PalettePart } from '#components/drawing/carried-part'
import { addPart } from '#components/drawing/part'
import type { Desk } from './desk'
import { pointInView } from './point-in-view'

export function addCommands(desk: Desk): Command[] {
  const { ui, canvas } = desk
  const group = 'Add'
  return [
    {
      id: 'canvas.add',
      label: 'Add a part…',
      group,
      icon: 'plus',
      keys: ['Shift+A'],
      run: () => openPicker(desk),
    },
    {
      // Tab normally moves through the page. It adds a part only when a pointer is in use and nothing has the
      // focus.
      id: 'canvas.add-by-tab',
      label: 'Add a part, with the pointer on the canvas',
      group,
      isUnlisted: true,
      keys: ['Tab'],
      canRun: () => document.activeElement === document.body && canvas.current?.matches(':hover') === true,
      run: () => openPicker(desk),
    },
    {
      id: 'canvas.note',
      label: 'Add a note',
      group,
      icon: 'sticky-note',
      keys: ['N'],
      run: () => ui.setState({ writing: addHere(desk, { note: true }) ?? null }),
    },
    {
      id: 'canvas.add-frame',
      label: 'Add a frame',
      group,
      icon: 'square-dashed',
      keys: ['Shift+F'],
      run: () => ui.setState({ writing: addHere(desk, { frame: true }) ?? null }),
    },
  ]
}

/** Opens the list of all parts; the chosen part is placed where the list opened. */
function openPicker({ store, ui, flow, canvas }: Pick<Desk, 'store' | 'ui' | 'flow' | 'canvas'>): void {
  const at = pointInView(canvas.current, store.getState().pointerAt())
  ui.setState({ picking: { at, place: flow.screenToFlowPosition(at) } })
}

function addHere({ store, flow, canvas }: Desk, part: PalettePart): string | undefined {
  const at = flow.screenToFlowPosition(pointInView(canvas.current, store.getState().pointerAt()))
  return addPart({ store, part, at })
}
