'use client'
/** Whether what is drawn is stored, in words. */
import { useStore } from 'zustand'
import { Icon } from '#components/ui/icon'
import { describeError } from '#components/ui/notice'
import type { Autosave, SaveState } from './autosave'
import styles from './builder-bar.module.css'

export function SaveChip({ autosave }: { autosave: Autosave }) {
  const state = useStore(autosave.state)
  const { text, isBad } = words(state)
  return (
    <span
      className={styles.save}
      role="status"
      data-bad={isBad || undefined}
      data-save={state.at}
      title={text}
    >
      <Icon name={isBad ? 'circle-alert' : state.at === 'saved' ? 'check' : 'ellipsis'} size={14} />
      <span>{text}</span>
    </span>
  )
}

function words(state: SaveState): { text: string; isBad: boolean } {
  switch (state.at) {
    case 'saved':
      return { text: 'Saved', isBad: false }
    case 'waiting':
    case 'saving':
      return { text: 'Saving', isBad: false }
    case 'failed':
      return { text: `Not saved: ${describeError(state.error).what}`, isBad: true }
    case 'conflict':
      return { text: 'Not saved: changed elsewhere', isBad: true }
    default:
      return state satisfies never
  }
}
