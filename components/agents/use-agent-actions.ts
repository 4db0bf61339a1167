'use client'
/** Actions on an agent in the list: copy, export, delete and restore, and the errors they cause. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { download } from '#components/ui/download'
import type { AgentSummary } from '#lib/wire/agents'

export interface AgentFault {
  readonly agentId: string
  /** What did not happen, as a sentence. */
  readonly what: string
  readonly error: unknown
}

export interface AgentActions {
  duplicate(agent: AgentSummary): Promise<void>
  exportFile(agent: AgentSummary): void
  remove(agent: AgentSummary): Promise<void>
  bringBack(id: string): Promise<void>
  /** It is being restored, and the list does not show it yet. */
  isComing(id: string): boolean
  /** Ends the chance to restore it. */
  letGo(id: string): void
  forgetFault(): void
}

export interface AgentsTouched {
  readonly actions: AgentActions
  /** Agents deleted a moment ago, in order of deletion. */
  readonly removed: ReadonlyMap<string, AgentSummary>
  /** The agent that was just added: a copy, or a restored one. */
  readonly arrived: string | null
  readonly fault: AgentFault | null
}

export function useAgentActions(): AgentsTouched {
  const client = useQueryClient()
  const [removed, setRemoved] = useState<ReadonlyMap<string, AgentSummary>>(() => new Map())
  const [arrived, setArrived] = useState<string | null>(null)
  const [fault, setFault] = useState<AgentFault | null>(null)
  const coming = useRef(new Set<string>())
  const letGo = useCallback(
    (id: string) =>
      setRemoved((known) => {
        const rest = new Map(known)
        rest.delete(id)
        return rest
      }),
    [],
  )
  const actions = useMemo<AgentActions>(() => {
    const refresh = () => client.invalidateQueries({ queryKey: keys.agents, exact: true })
    const attempt = async (agentId: string, what: string, work: () => Promise<void>) => {
      try {
        setFault(null)
        await work()
      } catch (error) {
        setFault({ agentId, what, error })
      }
    }
    return {
      duplicate: (agent) =>
        attempt(agent.id, 'The agent was not duplicated.', async () => {
          const { id } = await api.agents.duplicate(agent.id)
          setArrived(id)
          await refresh()
        }),
      exportFile: ({ id, name }) => download({ href: api.agents.exportUrl(id), name: `${name}.json` }),
      remove: (agent) =>
        attempt(agent.id, 'The agent was not deleted.', async () => {
          await api.agents.remove(agent.id)
          setRemoved((known) => new Map(known).set(agent.id, agent))
          await refresh()
        }),
      bringBack: async (id) => {
        if (coming.current.has(id)) return
        coming.current.add(id)
        await attempt(id, 'The agent was not restored.', async () => {
          await api.agents.bringBack(id)
          setArrived(id)
          await refresh()
          letGo(id)
        })
        coming.current.delete(id)
      },
      isComing: (id) => coming.current.has(id),
      letGo,
      forgetFault: () => setFault(null),
    }
  }, [client, letGo])
  return { actions, removed, arrived, fault }
}
