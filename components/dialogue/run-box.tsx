'use client'
/**
 * The run box: ask, attach files, choose the model, watch the answer, follow up, stop. It holds the only Run
 * button.
 */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { api } from '#components/data/client'
import { shortName } from '#components/models/entry'
import { ModelPicker } from '#components/models/model-picker'
import { useRunActions } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import { keyText } from '#components/ui/key-text'
import { useIsMac } from '#components/ui/use-is-mac'
import { dropOf } from './attach-files'
import { Composer } from './composer'
import { threadIdOf } from './dialogue-state'
import { MockHint } from './mock-hint'
import styles from './run-box.module.css'
import { RunDialogue } from './run-dialogue'
import { Samples } from './samples'
import { ThreadHistory } from './thread-history'
import { type RunBoxProps, type RunBoxState, useRunBox } from './use-run-box'

export function RunBox(props: RunBoxProps) {
  const box = useRunBox(props)
  const { dialogue } = box
  const { state, isBusy, canSend, acts } = dialogue
  const { samples, samplesAt } = props
  const { cancel } = useRunActions()
  const [isOver, setOver] = useState(false)
  const threadId = threadIdOf(state)
  // The stop command's key also works in the field, where command keys are off.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isBusy || event.defaultPrevented) return
    event.preventDefault()
    void cancel()
  }
  return (
    <section
      className={styles.box}
      aria-label="Run"
      data-over={isOver || undefined}
      onKeyDown={onKeyDown}
      {...dropOf(acts.giveFiles, setOver)}
    >
      <header className={styles.head}>
        <h2>Chat</h2>
        <ThreadName threadId={threadId} />
        {(threadId !== null || state.run.id !== null) && (
          <IconButton
            icon="plus"
            label="New thread"
            size="s"
            onClick={(event) => {
              const field = event.currentTarget.closest('section')?.querySelector('textarea')
              acts.leave(null)
              field?.focus()
            }}
          />
        )}
        <ThreadHistory agentId={props.agentId} threadId={threadId} onOpen={acts.openThread} />
      </header>
      <RunDialogue
        samples={samples}
        canRun={canSend}
        settingsHref={box.settingsHref}
        filesOf={state.filesOf}
        onAsk={acts.ask}
        asks={props.asks}
        onReview={props.onReview}
      />
      <BoxComposer model={props.model} onModel={props.onModel} box={box} />
      <MockHint agentId={props.agentId} className={styles.hint} />
      {samplesAt != null &&
        createPortal(<Samples samples={samples} canRun={canSend} onAsk={acts.ask} />, samplesAt)}
    </section>
  )
}

/** The composer with its notes: another model, and what blocks the next question. */
function BoxComposer({ model, onModel, box }: Pick<RunBoxProps, 'model' | 'onModel'> & { box: RunBoxState }) {
  const { dialogue, chosen, setOther, hindrance } = box
  const isMac = useIsMac()
  return (
    <>
      <Composer
        dialogue={dialogue}
        place="box"
        placeholder={threadIdOf(dialogue.state) === null ? 'Ask something' : 'Ask a follow-up'}
        send={{
          label: 'Run',
          icon: 'play',
          keys: keyText('Mod+Enter', isMac),
          alwaysShowsKeys: false,
        }}
        // A link to this box, in order to run the agent, has this hash.
        wantsFocus={() => window.location.hash === '#ask'}
      >
        <ModelPicker
          own={model}
          other={chosen}
          settingsHref={box.settingsHref}
          onOther={setOther}
          onKeep={onModel}
        />
      </Composer>
      {chosen !== null && (
        <p className={styles.hint}>
          Not the drawing’s {model === null ? 'model' : shortName(model)}: chosen in this box only.{' '}
          <button type="button" className={styles.link} onClick={() => setOther(null)}>
            Use the drawing’s
          </button>
        </p>
      )}
      {hindrance !== undefined && !dialogue.isBusy && <p className={styles.hint}>{hindrance}</p>}
    </>
  )
}

/** The name of the thread: its first question, until a person renames it. */
function ThreadName({ threadId }: { threadId: string | null }) {
  const thread = useQuery({
    queryKey: ['threads', threadId],
    queryFn: ({ signal }) => api.threads.get(threadId ?? '', signal),
    enabled: threadId !== null,
  })
  const title = threadId === null ? 'New thread' : (thread.data?.title ?? '')
  return (
    <span className={styles.thread} title={title}>
      {title}
    </span>
  )
}
