'use client'
/**
 * Everything that can be done on the canvas, as commands: the search, the shortcut sheet, the menus and the
 * keys all use this one list.
 */
import { useReactFlow } from '@xyflow/react'
import { useMemo } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useGraphStore } from '#components/drawing/graph-context'
import { addCommands } from './add-commands'
import type { Desk } from './desk'
import { editCommands } from './edit-commands'
import { viewCommands } from './view-commands'

export function useCanvasCommands({
  ui,
  canvas,
  fitView,
  pasteFrom,
}: Pick<Desk, 'ui' | 'canvas' | 'fitView' | 'pasteFrom'>): readonly Command[] {
  const store = useGraphStore()
  const flow = useReactFlow()
  const commands = useMemo(() => {
    const desk: Desk = { store, ui, flow, canvas, fitView, pasteFrom }
    return [...editCommands(desk), ...addCommands(desk), ...viewCommands(desk)]
  }, [store, ui, flow, canvas, fitView, pasteFrom])
  useCommands(commands)
  return commands
}
