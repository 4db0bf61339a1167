/** Commands that change the view of the drawing. */
import type { Command } from '#components/commands/commands'
import type { Desk } from './desk'

const calm = { duration: 160 }

export function viewCommands({ store, ui, flow, fitView }: Desk): Command[] {
  const group = 'View'
  const chosen = () => store.getState().nodes.filter((each) => each.selected)
  return [
    {
      id: 'view.fit',
      label: 'Fit all in view',
      group,
      icon: 'maximize',
      keys: ['1'],
      run: () => fitView(calm),
    },
    {
      id: 'view.selection',
      label: 'Zoom to the selection',
      group,
      icon: 'search',
      keys: ['2'],
      canRun: () => chosen().length > 0,
      run: () =>
        void flow.fitView({ nodes: chosen().map(({ id }) => ({ id })), padding: 0.2, maxZoom: 1.5, ...calm }),
    },
    {
      id: 'view.actual',
      label: 'Zoom to 100 %',
      group,
      icon: 'square',
      keys: ['0'],
      run: () => void flow.zoomTo(1, calm),
    },
    {
      id: 'view.zoom-in',
      label: 'Zoom in',
      group,
      icon: 'plus',
      keys: ['+', '='],
      run: () => void flow.zoomIn(calm),
    },
    {
      id: 'view.zoom-out',
      label: 'Zoom out',
      group,
      icon: 'minus',
      keys: ['-'],
      run: () => void flow.zoomOut(calm),
    },
    {
      id: 'view.snap',
      label: 'Snap to the grid, or move freely',
      group,
      icon: 'magnet',
      keys: ['Shift+G'],
      run: () => ui.setState(({ snaps }) => ({ snaps: !snaps })),
    },
    {
      id: 'view.map',
      label: 'Show or hide the map',
      group,
      icon: 'map',
      keys: ['Shift+M'],
      run: () => ui.setState(({ hasMap }) => ({ hasMap: !hasMap })),
    },
  ]
}
