'use client'
import { useGraph } from '#components/canvas/graph-context'
/** The builder's own things in the top bar: whose drawing it is, whether it is saved, undo, export, publish, stop. */
import { useRun, useRunActions } from '#components/trace/run-context'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { BarRule, TopBarSlot } from '#components/ui/top-bar'
import type { Autosave } from './autosave'
import styles from './builder-bar.module.css'
import { download } from './download'
import { Publish } from './publish'
import { SaveChip } from './save-chip'
import { isUnderWay } from './use-builder-keys'

export function BuilderBar({
  agentId,
  title,
  autosave,
}: {
  agentId: string
  title: string
  autosave: Autosave
}) {
  return (
    <>
      <TopBarSlot at="start">
        <BarRule />
        <span className={styles.title} title={title}>
          {title}
        </span>
        <SaveChip autosave={autosave} />
      </TopBarSlot>
      <TopBarSlot at="end">
        <UndoRedo />
        <BarRule />
        <Export />
        <Publish agentId={agentId} autosave={autosave} />
        <Stop />
      </TopBarSlot>
    </>
  )
}

function UndoRedo() {
  const undo = useGraph((state) => state.undo)
  const redo = useGraph((state) => state.redo)
  const canUndo = useGraph((state) => state.history.past.length > 0)
  const canRedo = useGraph((state) => state.history.future.length > 0)
  return (
    <>
      <IconButton icon="undo-2" label="Undo" title="Undo (Ctrl or ⌘ Z)" onClick={undo} disabled={!canUndo} />
      <IconButton
        icon="redo-2"
        label="Redo"
        title="Redo (Ctrl or ⌘ Shift Z)"
        onClick={redo}
        disabled={!canRedo}
      />
    </>
  )
}

/** What is downloaded is what is drawn now, byte for byte as the server would export it once saved. */
function Export() {
  const text = useGraph((state) => state.compiled.text)
  const name = useGraph((state) => state.compiled.config?.name)
  return (
    <Button
      variant="quiet"
      icon="download"
      disabled={text === null}
      title={text === null ? 'Nothing to export while the drawing has errors' : 'Download the agent as JSON'}
      onClick={() =>
        text !== null && download({ name: `${typeof name === 'string' ? name : 'agent'}.json`, text })
      }
    >
      Export
    </Button>
  )
}

function Stop() {
  const { cancel } = useRunActions()
  const isGoing = useRun(isUnderWay)
  if (!isGoing) return null
  return (
    <Button icon="square" onClick={() => void cancel()}>
      Stop <Kbd>Esc</Kbd>
    </Button>
  )
}
