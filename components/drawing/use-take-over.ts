'use client'
/**
 * Takes over what another tab or person saved, as long as nothing here is unsaved; otherwise the next save
 * finds the conflict and a person chooses.
 */
import { useEffect } from 'react'
import { api } from '#components/data/client'
import type { AgentView } from '#lib/wire/agents'
import type { Autosave } from './autosave'
import type { GraphStore } from './graph-store'

const channelName = 'loopwright.saved'

/** Tells the other tabs of this browser that an agent was saved. */
export function tellOtherTabs(agentId: string): void {
  if (typeof BroadcastChannel === 'undefined') return
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(agentId)
  channel.close()
}

/** Other browsers are noticed when a person comes back to this tab. */
export function useTakeOver(agentId: string, autosave: Autosave, store: GraphStore): void {
  useEffect(() => {
    const look = async () => {
      if (autosave.state.getState().at !== 'saved') return
      // When the server cannot be reached, the next look finds what changed.
      const theirs = await api.agents.get(agentId).catch(() => undefined)
      if (theirs !== undefined) takeOver(theirs, autosave, store)
    }
    const isBack = () => void (document.visibilityState === 'visible' && look())
    const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName)
    channel?.addEventListener('message', ({ data }) => void (data === agentId && look()))
    window.addEventListener('focus', isBack)
    document.addEventListener('visibilitychange', isBack)
    return () => {
      channel?.close()
      window.removeEventListener('focus', isBack)
      document.removeEventListener('visibilitychange', isBack)
    }
  }, [agentId, autosave, store])
}

/** Returns whether it was taken over: only what is newer, and only while nothing here is unsaved. */
export function takeOver(
  theirs: AgentView,
  autosave: Pick<Autosave, 'state' | 'view' | 'revision' | 'rebase'>,
  store: GraphStore,
): boolean {
  if (autosave.state.getState().at !== 'saved' || theirs.revision <= autosave.revision()) return false
  autosave.rebase(theirs.revision, theirs.graph)
  autosave.view.setState({ agent: theirs })
  store.getState().load(theirs.graph)
  return true
}
