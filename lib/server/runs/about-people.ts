/** The events that begin and end a run's wait for a person. */
import type { EventOf, RunEvent } from '#lib/spec/event'

export type AboutPeople = EventOf<
  'approval.requested' | 'approval.decided' | 'input.requested' | 'input.given'
>

const types: ReadonlySet<RunEvent['type']> = new Set<AboutPeople['type']>([
  'approval.requested',
  'approval.decided',
  'input.requested',
  'input.given',
])

export function isAboutPeople(event: RunEvent): event is AboutPeople {
  return types.has(event.type)
}
