/** Saves that still go on when their builder is left: whoever reads the agent next waits for them, and so sees what was drawn. */
import { api } from './client'

const going = new Map<string, Promise<unknown>>()

/** `saving` never rejects. */
export function leaveSaving(agentId: string, saving: Promise<unknown>): void {
  const told = saving.finally(() => {
    if (going.get(agentId) === told) going.delete(agentId)
  })
  going.set(agentId, told)
}

/** The agent as stored, with all that this page has drawn of it. */
export async function readAgent(agentId: string, signal?: AbortSignal) {
  await going.get(agentId)
  return api.agents.get(agentId, signal)
}
