'use client'
/** Keeps the drawing saved, and warns before a person leaves a page with unsaved work. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { guardLeaving } from '#components/commands/leaving'
import { keys } from '#components/data/agents'
import { ApiError, api } from '#components/data/client'
import { leaveSaving } from '#components/data/left-saves'
import type { AgentView } from '#lib/wire/agents'
import { type Autosave, createAutosave, isSafe } from './autosave'
import type { GraphStore } from './graph-store'
import { tellOtherTabs, useTakeOver } from './use-take-over'

export function useAutosave(agent: AgentView, store: GraphStore): Autosave {
  const client = useQueryClient()
  const [autosave] = useState(() =>
    createAutosave({
      graph: agent.graph,
      revision: agent.revision,
      save: async (graph, revision) => {
        const saved = await api.agents.save(agent.id, { graph, revision })
        void client.invalidateQueries({ queryKey: keys.agents, exact: true })
        tellOtherTabs(agent.id)
        return saved
      },
      conflictOf,
      isPassing: (error) => error instanceof ApiError && passing.has(error.code),
    }),
  )
  useEffect(() => {
    const stop = store.subscribe((state, before) => {
      if (state.history.present !== before.history.present) autosave.changed(state.history.present)
    })
    const leave = (event: BeforeUnloadEvent) => {
      if (autosave.state.getState().at === 'saved') return
      void autosave.flush()
      event.preventDefault()
    }
    // Navigation inside the product does not unload the page, so the browser would not ask.
    const mayGo = () =>
      isSafe(autosave.state.getState()) || window.confirm('Your last changes aren’t saved. Leave anyway?')
    const go = (event: MouseEvent) => {
      if (!leadsAway(event) || mayGo()) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('beforeunload', leave)
    document.addEventListener('click', go, true)
    const unguard = guardLeaving(mayGo)
    return () => {
      stop()
      unguard()
      window.removeEventListener('beforeunload', leave)
      document.removeEventListener('click', go, true)
      leaveSaving(agent.id, autosave.flush())
    }
  }, [agent.id, autosave, store])
  useTakeOver(agent.id, autosave, store)
  return autosave
}

const passing = new Set(['network', 'unavailable', 'internal', 'too_many'])

function conflictOf(error: unknown): AgentView | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stale_revision') return undefined
  return error.detail.current as AgentView | undefined // cast: what a stale revision carries in the API
}

function leadsAway({ target, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || metaKey || ctrlKey || shiftKey) return false
  return (
    link.target !== '_blank' && !link.hasAttribute('download') && link.pathname !== window.location.pathname
  )
}
