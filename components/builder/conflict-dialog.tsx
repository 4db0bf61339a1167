'use client'
/**
 * Asks what to keep when someone else saved this agent in between: theirs, mine, or both. Nothing is lost
 * before a choice is made.
 */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import type { Autosave } from '#components/drawing/autosave'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { renameGraph } from '#components/drawing/starter'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import type { AgentView } from '#lib/wire/agents'
import styles from './conflict-dialog.module.css'
import { emptyWords, type SideWords, sideWords } from './conflict-words'

export function ConflictDialog({ agentId, autosave }: { agentId: string; autosave: Autosave }) {
  const state = useStore(autosave.state)
  const [putOff, setPutOff] = useState<AgentView>()
  if (state.at !== 'conflict') return null
  if (putOff === state.theirs) return <Reminder onOpen={() => setPutOff(undefined)} />
  return (
    <Choice key={agentId} autosave={autosave} theirs={state.theirs} onLater={() => setPutOff(state.theirs)} />
  )
}

function Reminder({ onOpen }: { onOpen(): void }) {
  return (
    <div className={styles.reminder}>
      <Button icon="circle-alert" onClick={onOpen}>
        Not saved: changed elsewhere. Choose what to keep
      </Button>
    </div>
  )
}

function Choice({ autosave, theirs, onLater }: { autosave: Autosave; theirs: AgentView; onLater(): void }) {
  const store = useGraphStore()
  const client = useQueryClient()
  const words = useSides(autosave, theirs)
  const takeTheirs = () => {
    store.getState().load(theirs.graph)
    autosave.rebase(theirs.revision, theirs.graph)
  }
  const keepBoth = useMutation({
    mutationFn: async () => {
      const { history, catalog } = store.getState()
      const agents = await api.agents.list()
      return api.agents.create({
        graph: renameGraph(history.present, catalog, new Set(agents.items.map((each) => each.name))),
      })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.agents })
      takeTheirs()
    },
  })
  // Their drawing is loaded once the copy has been created, which would override another choice made until
  // then.
  const isCopying = keepBoth.isPending
  return (
    <Dialog
      wide
      title="This agent was changed elsewhere"
      onClose={onLater}
      actions={
        <>
          <Button onClick={takeTheirs} disabled={isCopying}>
            Take theirs
          </Button>
          <Button onClick={() => autosave.rebase(theirs.revision, null)} disabled={isCopying}>
            Keep mine
          </Button>
          <Button variant="primary" onClick={() => keepBoth.mutate()} disabled={isCopying}>
            Keep both
          </Button>
        </>
      }
    >
      <p>
        Another window saved “{theirs.name}” after this one opened it. Keep both saves yours as a copy and
        opens theirs here. Nothing is lost until you choose.
      </p>
      <div className={styles.sides}>
        <Side title="They changed" words={words.theirs} />
        <Side title="You changed" words={words.mine} />
      </div>
      {keepBoth.isError && <ErrorNote error={keepBoth.error} />}
    </Dialog>
  )
}

/**
 * Each side is compared with the last drawing both knew; if that is not known, the two are compared with each
 * other.
 */
function useSides(autosave: Autosave, theirs: AgentView): { theirs: SideWords; mine: SideWords } {
  const catalog = useGraph((state) => state.catalog)
  const mine = useGraph((state) => state.history.present)
  return useMemo(() => {
    const base = autosave.stored()
    return {
      theirs: sideWords(base ?? mine, theirs.graph, catalog),
      mine: sideWords(base ?? theirs.graph, mine, catalog),
    }
  }, [autosave, theirs, mine, catalog])
}

const most = 8

function Side({ title, words }: { title: string; words: SideWords }) {
  const { changes } = words
  return (
    <section aria-label={title} className={styles.side}>
      <h3>{title}</h3>
      {changes.length === 0 && <p>{emptyWords(words)}</p>}
      <ul>
        {changes.slice(0, most).map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      {changes.length > most && <p>and {changes.length - most} more</p>}
    </section>
  )
}
