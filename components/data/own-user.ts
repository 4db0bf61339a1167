'use client'
/** The user on whose behalf this browser asks an agent: so its builder and chat share one memory. */

const nameOf = (agentId: string) => `user:${agentId}`

/** The name under which `useRemembered` holds the user. */
export const ownUserName = nameOf

/** Undefined where none is set. */
export function ownUser(agentId: string): string | undefined {
  try {
    return localStorage.getItem(`loopwright:${nameOf(agentId)}`)?.trim() || undefined
  } catch {
    return undefined
  }
}
