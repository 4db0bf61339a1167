/** What a person said to a run while it was under way, with the step that read it. Pure. */
import type { RunEvent } from '#lib/spec/event'
import type { SteeredWords } from '#lib/wire/runs'

/** The types of the events that tell it. */
export const steeredTypes = ['run.steered', 'step.started'] as const

export function steeredIn(events: readonly RunEvent[]): SteeredWords[] {
  const read: SteeredWords[] = []
  let unread: string[] = []
  for (const event of events) {
    if (event.parent !== undefined) continue
    if (event.type === 'run.steered') unread.push(event.text)
    // A step that continues a text that was cut off reads nothing new.
    if (event.type !== 'step.started' || event.continues) continue
    read.push(...unread.map((text) => ({ text, step: event.step })))
    unread = []
  }
  return [...read, ...unread.map((text) => ({ text, step: null }))]
}
