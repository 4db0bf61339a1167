'use client'
/** The run box: ask, give files along, choose the model, watch the answer come, ask on, stop. Run lives here and only here. */
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { IconButton } from '#components/ui/button'
import { Composer } from './composer'
import styles from './run-box.module.css'
import { useRunActions } from './run-context'
import { RunDialogue } from './run-dialogue'
import { type RunBoxProps, useRunBox } from './use-run-box'

export function RunBox(props: RunBoxProps) {
  const box = useRunBox(props)
  const { canRun, samples } = props
  const { cancel } = useRunActions()
  const [isOver, setOver] = useState(false)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.isBusy) return
    event.preventDefault()
    void cancel()
  }
  return (
    <section
      className={styles.box}
      aria-label="Run"
      data-over={isOver || undefined}
      onKeyDown={onKeyDown}
      {...dropOf(box.attachments.add, setOver)}
    >
      <header className={styles.head}>
        <h2>Run</h2>
        <span className={styles.thread}>
          {box.hasThread ? 'Follow-ups stay in this thread' : 'New thread'}
        </span>
        <IconButton
          icon="plus"
          label="New thread"
          size="s"
          onClick={(event) => {
            box.startOver()
            event.currentTarget.closest('section')?.querySelector('textarea')?.focus()
          }}
          disabled={box.isNew}
        />
      </header>
      <RunDialogue
        samples={samples}
        canRun={canRun && box.isReady}
        settingsHref={box.settingsHref}
        given={box.given}
        onAsk={(question) => void box.run(question)}
      />
      <Composer model={props.model} onModel={props.onModel} box={box} />
    </section>
  )
}

function dropOf(add: (files: readonly File[]) => void, setOver: (isOver: boolean) => void) {
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      const { currentTarget, relatedTarget } = event
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      add([...event.dataTransfer.files])
    },
  }
}
