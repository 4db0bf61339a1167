'use client'
/** Several selected items: what they are, and what can be done with all of them. */
import { useMemo } from 'react'
import { frameSelection, isAllOff, switchable, toggleSelection } from '#components/canvas/selection-edits'
import { useAllCommands } from '#components/commands/commands-context'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { deleteSelection, duplicateSelection } from '#components/drawing/part'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import styles from './inspector.module.css'
import { NodeRow } from './node-row'
import { PanelHead } from './panel-head'

/** The most rows shown; the others are only counted. */
const most = 40

export function SeveralPanel({ count }: { count: number }) {
  const store = useGraphStore()
  const commands = useAllCommands()
  const nodes = useGraph((state) => state.history.present.nodes)
  const selection = useGraph((state) => state.selection)
  const isOff = useGraph(isAllOff)
  const canSwitch = useGraph((state) => switchable(state).length > 0)
  const chosen = useMemo(() => {
    const ids = new Set(selection.nodes)
    return nodes.filter((each) => ids.has(each.id))
  }, [nodes, selection.nodes])
  const hasBoxes = selection.nodes.length + selection.notes.length + selection.frames.length > 0
  // If the canvas has a command for it, that command is used.
  const run = (id: string, otherwise?: () => void) => {
    const command = commands().find((each) => each.id === id)
    if (command === undefined) otherwise?.()
    else command.run()
  }
  return (
    <>
      <PanelHead family="note" icon="layers" name={`${count} selected`} kind={wordsOf(selection)} />
      <section className={styles.section} aria-label="Actions">
        <div className={styles.actions}>
          {canSwitch && (
            <Button icon="power" onClick={() => toggleSelection(store)}>
              {isOff ? 'Switch on' : 'Switch off'} <Kbd>D</Kbd>
            </Button>
          )}
          {hasBoxes && (
            <Button icon="square" onClick={() => run('canvas.frame', () => frameSelection(store))}>
              Frame <Kbd>G</Kbd>
            </Button>
          )}
          {hasBoxes && (
            <Button icon="copy" onClick={() => duplicateSelection(store)}>
              Duplicate
            </Button>
          )}
          <Button icon="workflow" onClick={() => run('canvas.tidy')}>
            Tidy up
          </Button>
          <Button icon="trash-2" onClick={() => deleteSelection(store)}>
            Delete <Kbd>Del</Kbd>
          </Button>
        </div>
      </section>
      {chosen.length > 0 && (
        <section className={styles.section} aria-label="Selected nodes">
          <div className={shared.stack}>
            {chosen.slice(0, most).map((node) => (
              <NodeRow key={node.id} node={node} />
            ))}
          </div>
          {chosen.length > most && <p className={shared.quiet}>and {chosen.length - most} more</p>}
        </section>
      )}
    </>
  )
}

function wordsOf(
  selection: Readonly<Record<'nodes' | 'notes' | 'frames' | 'edges', readonly string[]>>,
): string {
  const words = { nodes: 'node', edges: 'wire', notes: 'note', frames: 'frame' } as const
  return (['nodes', 'edges', 'notes', 'frames'] as const)
    .flatMap((key) => {
      const { length } = selection[key]
      return length === 0 ? [] : [`${length} ${words[key]}${length === 1 ? '' : 's'}`]
    })
    .join(', ')
}
