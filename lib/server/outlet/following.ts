/** What a caller of an agent hears of a run while it works: short sentences, and whether it waits for a person. */
import type { RunEvent } from '#lib/spec/event'

/** The events that are worth reading; all others may be skipped without parsing them. */
const telling = new Set([
  'step.started',
  'call.started',
  'approval.requested',
  'approval.decided',
  'input.requested',
  'input.given',
  'run.finished',
])

export function isTelling(type: string): boolean {
  return telling.has(type)
}

export interface Following {
  /** A sentence for the caller; undefined where the event says nothing new. */
  read(event: RunEvent): string | undefined
  /** Whether the run waits for a person. */
  readonly isWaiting: boolean
}

/** @param url where a person sees the run; null where there is no page of it */
export function createFollowing(url: string | null): Following {
  const waiting = new Set<string>()
  const at = url === null ? '' : ` (${url})`
  return {
    get isWaiting() {
      return waiting.size > 0
    },
    read(event) {
      if (event.parent !== undefined) return undefined
      switch (event.type) {
        case 'step.started':
          return `Step ${event.step}.`
        case 'call.started':
          return `Calls ${event.name}.`
        case 'approval.requested':
          waiting.add(event.callId)
          return `Waits for a person to decide on ${event.tool}${at}.`
        case 'approval.decided':
          waiting.delete(event.callId)
          return event.decision === 'approve' ? 'The call was approved.' : 'The call was rejected.'
        case 'input.requested':
          if (event.refused !== undefined) return undefined
          waiting.add(`${event.callId} ${event.inputId}`)
          return `Waits for a person to answer: ${event.question}${at}`
        case 'input.given':
          return waiting.delete(`${event.callId} ${event.inputId}`) ? 'A person replied.' : undefined
        default:
          // Other events change nothing that a caller waits for.
          return undefined
      }
    },
  }
}
