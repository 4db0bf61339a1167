'use client'
/** Whether the drawing is saved, in words; if not, a button to try again. */
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Autosave, SaveState } from '#components/drawing/autosave'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { describeError } from '#components/ui/notice'
import styles from './builder-bar.module.css'

export interface SaveChipProps {
  readonly autosave: Autosave
  /** Grows each time a person asks to save. */
  readonly asked: number
  /** A message that replaces the state for a moment. */
  readonly told: string | null
}

export function SaveChip({ autosave, asked, told }: SaveChipProps) {
  const state = useStore(autosave.state)
  const note = useForAMoment(told, asked)
  const { text, isBad } = words(state)
  const shown = !isBad && note !== null ? note : text
  return (
    <span className={styles.save} data-bad={isBad || undefined} data-save={state.at} title={shown}>
      <span role="status">
        <Icon name={isBad ? 'circle-alert' : state.at === 'saved' ? 'check' : 'ellipsis'} size={14} />
        <span>{shown}</span>
      </span>
      {state.at === 'failed' && (
        <Button size="s" variant="plain" icon="rotate-ccw" onClick={() => void autosave.flush()}>
          Try again
        </Button>
      )}
    </span>
  )
}

const moment = 2_400

function useForAMoment(told: string | null, asked: number): string | null {
  const [note, setNote] = useState<string | null>(null)
  useEffect(() => {
    if (told !== null) setNote(told)
  }, [told])
  useEffect(() => {
    if (asked > 0) setNote('Saved as you go')
  }, [asked])
  useEffect(() => {
    if (note === null) return
    const timer = setTimeout(() => setNote(null), moment)
    return () => clearTimeout(timer)
  }, [note])
  return note
}

function words(state: SaveState): { text: string; isBad: boolean } {
  switch (state.at) {
    case 'saved':
      return { text: 'Saved', isBad: false }
    case 'waiting':
    case 'saving':
      return { text: 'Saving…', isBad: false }
    case 'failed':
      return { text: `Not saved: ${describeError(state.error).what}`, isBad: true }
    case 'conflict':
      return { text: 'Not saved: changed elsewhere', isBad: true }
    default:
      return state satisfies never
  }
}
