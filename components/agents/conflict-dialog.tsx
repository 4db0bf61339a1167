'use client'
/** Someone else saved this agent in between: theirs, mine, or both. Nothing is lost before a choice is made. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useStore } from 'zustand'
import { useGraphStore } from '#components/canvas/graph-context'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import type { AgentView } from '#lib/http/agents'
import { api } from '#lib/http/client'
import type { Autosave } from './autosave'
import { keys } from './queries'
import { renamed } from './starter'

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
    <div
      style={{
        position: 'absolute',
        left: '50%',
        top: 12,
        zIndex: 'var(--z-canvas-ui)',
        transform: 'translateX(-50%)',
      }}
    >
      <Button icon="circle-alert" onClick={onOpen}>
        Not saved: changed elsewhere. Choose what to keep
      </Button>
    </div>
  )
}

function Choice({ autosave, theirs, onLater }: { autosave: Autosave; theirs: AgentView; onLater(): void }) {
  const store = useGraphStore()
  const client = useQueryClient()
  const takeTheirs = () => {
    store.getState().load(theirs.graph)
    autosave.rebase(theirs.revision, theirs.graph)
  }
  const keepBoth = useMutation({
    mutationFn: async () => {
      const { history, catalog } = store.getState()
      const agents = await api.agents.list()
      return api.agents.create({
        graph: renamed(history.present, catalog, new Set(agents.items.map((each) => each.name))),
      })
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.agents })
      takeTheirs()
    },
  })
  return (
    <Dialog
      title="This agent was changed elsewhere"
      onClose={onLater}
      actions={
        <>
          <Button onClick={takeTheirs}>Take theirs</Button>
          <Button onClick={() => autosave.rebase(theirs.revision, null)}>Keep mine</Button>
          <Button variant="primary" onClick={() => keepBoth.mutate()} disabled={keepBoth.isPending}>
            Keep both
          </Button>
        </>
      }
    >
      <p>
        Another window saved “{theirs.name}” after this one opened it. Keep both stores yours as a copy beside
        it and opens theirs here.
      </p>
      {keepBoth.isError && <ErrorNote error={keepBoth.error} />}
    </Dialog>
  )
}
