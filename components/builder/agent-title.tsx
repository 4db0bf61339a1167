'use client'
/** The agent's name, edited in place, and the menu of actions on the whole agent. */
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { titleGesture, useFollowTitle } from '#components/drawing/use-follow-title'
import { Line } from '#components/ui/line'
import { Menu, type MenuItem } from '#components/ui/menu'
import { patchConfig } from '#lib/graph/edit'
import { isAgent, kindOf } from '#lib/graph/kinds'
import styles from './builder-bar.module.css'

export interface AgentTitleProps {
  readonly title: string
  readonly items: readonly MenuItem[]
  readonly isRenaming: boolean
  onRename(isRenaming: boolean): void
}

export function AgentTitle({ title, items, isRenaming, onRename }: AgentTitleProps) {
  return (
    <>
      {isRenaming ? (
        <TitleField title={title} onDone={() => onRename(false)} />
      ) : (
        <button
          type="button"
          className={styles.title}
          title={`${title}. Click to rename`}
          onClick={() => onRename(true)}
        >
          <Line text={title} />
        </button>
      )}
      <Menu label="Agent menu" icon="chevron-down" size="s" items={items} />
    </>
  )
}

/** Enter and leaving the field save the text; Escape discards it. */
function TitleField({ title, onDone }: { title: string; onDone(): void }) {
  const edit = useGraph((state) => state.edit)
  const followTitle = useFollowTitle()
  const agent = useGraph((state) =>
    state.history.present.nodes.find((each) => isAgent(kindOf(state.catalog, each.kind))),
  )
  const field = useRef<HTMLInputElement>(null)
  const isLeft = useRef(false)
  useEffect(() => field.current?.select(), [])
  const done = (text?: string) => {
    if (isLeft.current) return
    isLeft.current = true
    if (agent !== undefined && text !== undefined && text !== title) {
      edit(
        (graph, catalog) => patchConfig(graph, agent.id, { title: text === '' ? undefined : text }, catalog),
        titleGesture(agent.id),
      )
      void followTitle(agent.id, title)
    }
    onDone()
  }
  const keys = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') done()
    if (event.key === 'Enter') done(event.currentTarget.value.trim())
    if (event.key === 'Escape' || event.key === 'Enter') event.stopPropagation()
  }
  return (
    <input
      ref={field}
      className={styles.titleField}
      aria-label="Agent’s title"
      defaultValue={title}
      maxLength={200}
      spellCheck={false}
      onBlur={(event) => done(event.currentTarget.value.trim())}
      onKeyDown={keys}
    />
  )
}
