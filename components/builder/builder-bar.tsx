'use client'
/**
 * The builder's part of the top bar: the agent's name, whether it is saved, undo, chat, export, publish,
 * stop.
 */
import { type ReactNode, useState } from 'react'
import type { Autosave } from '#components/drawing/autosave'
import { useGraph } from '#components/drawing/graph-context'
import { useRun, useRunActions } from '#components/run/run-context'
import { isUnderWay } from '#components/run/run-store'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { keyText } from '#components/ui/key-text'
import { Menu, type MenuItem } from '#components/ui/menu'
import { ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { BarRule, TopBarSlot, useBarMenu } from '#components/ui/top-bar-slot'
import { useIsMac } from '#components/ui/use-is-mac'
import { AgentTitle } from './agent-title'
import styles from './builder-bar.module.css'
import { PublishButton } from './publish-button'
import { SaveChip } from './save-chip'
import type { BuilderDoing } from './use-builder-actions'

export interface BuilderBarProps {
  readonly agentId: string
  readonly title: string
  readonly autosave: Autosave
  readonly doing: BuilderDoing
  /** How often saving was requested by key: each time, the save chip shows its state. */
  readonly asked: number
  readonly isRenaming: boolean
  onRename(isRenaming: boolean): void
  onRemove(): void
  onVersions(): void
  onPublish(): void
  /** Shown after the save chip: the published version. */
  readonly version?: ReactNode
}

export function BuilderBar(props: BuilderBarProps) {
  const { agentId, title, autosave, doing, asked, isRenaming, onRename, version } = props
  const isWhole = useGraph((state) => state.compiled.text !== null)
  const { actions } = doing
  const agentItems = useAgentItems(props)
  const exportItems: readonly MenuItem[] = [
    { label: 'Download as JSON', icon: 'download', disabled: !isWhole, run: actions.exportFile },
    { label: 'Copy as JSON', icon: 'braces', disabled: !isWhole, run: actions.copyJson },
    { label: 'Copy the command that runs it', icon: 'code', disabled: !isWhole, run: actions.copyLine },
  ]
  useBarMenu([
    ...useUndoItems(),
    { label: 'Publish', icon: 'upload', disabled: !isWhole, beginsGroup: true, run: props.onPublish },
    ...exportItems,
    ...agentItems.map((each, index) => (index === 0 ? { ...each, beginsGroup: true } : each)),
  ])
  return (
    <>
      <TopBarSlot at="start">
        <BarRule />
        <AgentTitle title={title} isRenaming={isRenaming} onRename={onRename} items={agentItems} />
        <span className={styles.version}>{version}</span>
        <SaveChip autosave={autosave} asked={asked} told={doing.told} />
      </TopBarSlot>
      <TopBarSlot at="tools">
        <UndoRedo />
      </TopBarSlot>
      <TopBarSlot at="end">
        <BarRule />
        <Button
          variant="quiet"
          icon="message-square"
          aria-label="Open chat"
          title="Open chat"
          className={styles.toChat}
          disabled={!isWhole}
          onClick={actions.chat}
        >
          <span>Chat</span>
        </Button>
        <span className={styles.out} data-tour="publish">
          <Menu label="Export" text="Export" icon="download" items={exportItems} />
          <IconButton
            icon="link"
            label="Connect"
            title="Connect other programs and people to this agent"
            onClick={actions.connect}
          />
          <PublishButton agentId={agentId} onPublish={props.onPublish} />
        </span>
        <Stop />
      </TopBarSlot>
      {doing.fault !== null && (
        <Dialog
          title="That did not work"
          onClose={doing.forget}
          actions={<Button onClick={doing.forget}>Close</Button>}
        >
          <ErrorNote error={doing.fault} />
        </Dialog>
      )}
    </>
  )
}

function useAgentItems(props: BuilderBarProps): readonly MenuItem[] {
  const { doing, onRename } = props
  const { actions } = doing
  const isWhole = useGraph((state) => state.compiled.text !== null)
  return [
    { label: 'Rename', icon: 'pencil', run: () => onRename(true) },
    { label: 'Duplicate', icon: 'copy', run: actions.duplicate },
    { label: 'Open chat', icon: 'message-square', disabled: !isWhole, run: actions.chat },
    { label: 'Open without the admin bar', icon: 'maximize', disabled: !isWhole, run: actions.bareChat },
    { label: 'Versions', icon: 'history', run: props.onVersions },
    { label: 'Insights', icon: 'chart-column', run: actions.insights },
    { label: 'Try and mock its tools', icon: 'wrench', run: actions.tools },
    { label: 'Memory', icon: 'brain', run: actions.memory },
    { label: 'Connect', icon: 'link', run: actions.connect },
    { label: 'Delete', icon: 'trash-2', danger: true, beginsGroup: true, run: props.onRemove },
  ]
}

function useUndoItems(): readonly MenuItem[] {
  const undo = useGraph((state) => state.undo)
  const redo = useGraph((state) => state.redo)
  const canUndo = useGraph((state) => state.history.past.length > 0)
  const canRedo = useGraph((state) => state.history.future.length > 0)
  return [
    { label: 'Undo', icon: 'undo-2', disabled: !canUndo, run: undo },
    { label: 'Redo', icon: 'redo-2', disabled: !canRedo, run: redo },
  ]
}

function UndoRedo() {
  const isMac = useIsMac()
  const undo = useGraph((state) => state.undo)
  const redo = useGraph((state) => state.redo)
  const canUndo = useGraph((state) => state.history.past.length > 0)
  const canRedo = useGraph((state) => state.history.future.length > 0)
  return (
    <>
      <IconButton
        icon="undo-2"
        label="Undo"
        title={`Undo (${keyText('Mod+Z', isMac)})`}
        onClick={undo}
        disabled={!canUndo}
      />
      <IconButton
        icon="redo-2"
        label="Redo"
        title={`Redo (${keyText('Mod+Shift+Z', isMac)})`}
        onClick={redo}
        disabled={!canRedo}
      />
    </>
  )
}

function Stop() {
  const { cancel } = useRunActions()
  const isGoing = useRun(isUnderWay)
  if (!isGoing) return null
  return (
    <Button icon="square" aria-label="Stop" className={styles.stop} onClick={() => void cancel()}>
      <span>Stop</span> <Kbd>Esc</Kbd>
    </Button>
  )
}

/** Asks before an agent is removed from the list. */
export function RemoveDialog({
  title,
  onRemove,
  onClose,
}: {
  title: string
  onRemove(): void
  onClose(): void
}) {
  const [isAsked, setAsked] = useState(false)
  const remove = () => {
    setAsked(true)
    onRemove()
  }
  return (
    <RemovalDialog
      title={`Delete “${title}”?`}
      verb="Delete"
      isPending={isAsked}
      error={null}
      onRemove={remove}
      onClose={onClose}
    >
      <p>It will be removed and can’t be run. Its runs stay.</p>
    </RemovalDialog>
  )
}
