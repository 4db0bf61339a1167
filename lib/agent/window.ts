/** The window on a thread's dialogue: the newest messages, cut between turns, whatever the run itself adds. */
import type { Message } from '#lib/spec/message'

/** The dialogue up to and including the run's question; what the run says after it is never cut. */
export const maxMessages = 50

export interface Window {
  readonly kept: Message[]
  readonly dropped: number
}

/**
 * Takes paired messages before the question. An answer is kept with all its results or not at all;
 * when the cut falls inside a turn, the question that opened the turn stays in front.
 */
export function windowOf(history: readonly Message[]): Window {
  const room = maxMessages - 1
  if (history.length <= room) return { kept: [...history], dropped: 0 }
  let from = history.length - room
  while (history[from]?.role === 'tool') from += 1
  const opener = openerOf(history, from)
  // The opener takes a seat of its own.
  if (opener !== undefined && history.length - from === room) {
    from += 1
    while (history[from]?.role === 'tool') from += 1
  }
  const rest = history.slice(from)
  const kept = opener === undefined || rest[0]?.role !== 'assistant' ? rest : [opener, ...rest]
  return { kept, dropped: history.length - kept.length }
}

/** The question of the turn that `from` falls into; undefined when it falls on a question. */
function openerOf(history: readonly Message[], from: number): Message | undefined {
  if (history[from]?.role !== 'assistant') return undefined
  for (let index = from; index >= 0; index--) if (history[index]?.role === 'user') return history[index]
  return undefined
}
