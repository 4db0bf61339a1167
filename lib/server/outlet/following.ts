/** What a caller of an agent hears of a run while it works: short sentences, and whether it waits for a person. */
import { joinPath } from '#lib/agent/state/inner-path'
import type { RunEvent } from '#lib/spec/event'

/** The events that are worth reading; all others may be skipped without parsing them. */
const telling = new Set([
  'step.started',
  'call.started',
  'approval.requested',
  'approval.decided',
  'input.requested',
  'input.given',
  'call.finished',
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
      // Of a run inside a call, only what people are asked.
      const isInside = event.parent !== undefined
      const path = 'callId' in event && event.callId !== undefined ? pathOf(event.callId, event) : ''
      switch (event.type) {
        case 'step.started':
          return isInside ? undefined : `Step ${event.step}.`
        case 'call.started':
          return isInside ? undefined : `Calls ${event.name}.`
        case 'call.finished':
          // A call that ends in another way leaves what its run inside asked without an answer.
          for (const each of waiting) if (each.startsWith(`${path}/`)) waiting.delete(each)
          return undefined
        case 'approval.requested':
          waiting.add(path)
          return `Waits for a person to decide on ${event.tool}${at}.`
        case 'approval.decided':
          waiting.delete(path)
          return event.decision === 'approve' ? 'The call was approved.' : 'The call was rejected.'
        case 'input.requested':
          if (event.refused !== undefined) return undefined
          waiting.add(`${path} ${event.inputId}`)
          return `Waits for a person to answer: ${event.question}${at}`
        case 'input.given':
          return waiting.delete(`${path} ${event.inputId}`) ? 'A person replied.' : undefined
        default:
          // Other events change nothing that a caller waits for.
          return undefined
      }
    },
  }
}

function pathOf(callId: string, { parent }: RunEvent): string {
  return parent === undefined ? callId : joinPath(parent, callId)
}
