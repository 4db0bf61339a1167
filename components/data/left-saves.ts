/**
 * Saves that are still running after their builder was left: the next read of the agent waits for them, so
 * that it sees the drawing.
 */
import { api } from './client'

const going = new Map<string, Promise<unknown>>()

/** `saving` never rejects. */
export function leaveSaving(agentId: string, saving: Promise<unknown>): void {
  const told = saving.finally(() => {
    if (going.get(agentId) === told) going.delete(agentId)
  })
  going.set(agentId, told)
}

/** The agent as stored, including everything drawn on this page. */
export async function readAgent(agentId: string, signal?: AbortSignal) {
  await going.get(agentId)
  return api.agents.get(agentId, signal)
}
