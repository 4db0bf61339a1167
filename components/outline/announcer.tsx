'use client'
/**
 * Announces to a screen reader what an edit did and how the run is going: politely, and no faster than it can
 * be heard.
 */
import { useEffect, useState } from 'react'
import { useGraphStore } from '#components/drawing/graph-context'
import { useRunStore } from '#components/run/run-context'
import shared from '#components/ui/shared.module.css'
import { editWords } from './edit-words'
import { runWords } from './run-words'

/** Milliseconds between two sentences; of what happens in between, only the last is announced. */
const rest = 900
/** Milliseconds without a further edit before an edit is announced. */
const settle = 250

export function Announcer() {
  const text = useAnnouncements()
  return (
    <div role="status" aria-live="polite" className={shared.unseen} data-announcer="">
      {text}
    </div>
  )
}

function useAnnouncements(): string {
  const store = useGraphStore()
  const run = useRunStore()
  const [text, setText] = useState('')
  useEffect(() => {
    const voice = createVoice(setText)
    let before = store.getState().history.present
    let settling: ReturnType<typeof setTimeout> | undefined
    const stopEdits = store.subscribe((state, previous) => {
      if (state.history.present === previous.history.present) return
      clearTimeout(settling)
      settling = setTimeout(() => {
        const { history, catalog, selection } = store.getState()
        voice.say(editWords(before, history.present, catalog, new Set(selection.nodes)))
        before = history.present
      }, settle)
    })
    let known = runWords(run.getState().state)
    const stopRun = run.subscribe(({ state }) => {
      const words = runWords(state)
      if (words === known) return
      known = words
      voice.say(words)
    })
    return () => {
      stopEdits()
      stopRun()
      clearTimeout(settling)
      voice.end()
    }
  }, [store, run])
  return text
}

/** Speaks at once after a silence, otherwise only the last text that arrived during the pause. */
function createVoice(tell: (text: string) => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let next = ''
  const speak = () => {
    timer = undefined
    if (next === '') return
    tell(next)
    next = ''
    timer = setTimeout(speak, rest)
  }
  return {
    say(text: string) {
      if (text === '') return
      next = text
      if (timer === undefined) speak()
    },
    end: () => clearTimeout(timer),
  }
}
