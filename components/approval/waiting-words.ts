/** What a run asks a person, in a sentence for a screen reader. Pure. */
import type { Waiting } from '#components/run/waiting'
import { lineOf } from '#lib/spec/line'

/** Empty when nothing is asked. */
export function waitingWords(waiting: readonly Waiting[]): string {
  const [first] = waiting
  if (first === undefined) return ''
  const more = waiting.length > 1 ? ` ${waiting.length - 1} more below.` : ''
  const who = first.inside === undefined ? '' : `${lineOf(first.inside.agent)}: `
  if (first.kind === 'approval') return `${who}${lineOf(first.call.name)} waits for your approval.${more}`
  const { server, question } = first.input
  return `${who}${lineOf(server ?? first.call.name)} asks: ${lineOf(question)}${more}`
}
