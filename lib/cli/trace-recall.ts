/** The lines of the trace about memory and knowledge: what was found, with its score, and what was recorded. */
import type { EventOf } from '#lib/spec/event'
import { lineOf } from '#lib/spec/line'

/** The most characters of a found text. */
const maxText = 160

type Recalled = EventOf<'memory.retrieved' | 'knowledge.retrieved' | 'memory.recorded'>

export function traceRecall(event: Recalled): string {
  switch (event.type) {
    case 'memory.retrieved':
      return lines('memory', event.problem, [
        ...event.entries.map(({ score, text }) => `${score.toFixed(2)} ${lineOf(text, maxText)}`),
      ])
    case 'knowledge.retrieved':
      return lines(
        'knowledge',
        event.problem,
        event.passages.map(({ score, collection, file, place, text }) => {
          const where = [`${collection}/${file}`, place].filter((each) => each !== '').join(', ')
          return `${score.toFixed(2)} ${lineOf(where, maxText)}: ${lineOf(text, maxText)}`
        }),
      )
    case 'memory.recorded':
      if (event.skipped !== undefined) return `  ! not remembered: ${lineOf(event.skipped, 1_200)}\n`
      return event.entries.map(({ text }) => `  + remembered: ${lineOf(text, maxText)}\n`).join('')
  }
  return event satisfies never
}

function lines(what: string, problem: string | undefined, found: readonly string[]): string {
  const why = problem === undefined ? '' : `  ! ${lineOf(problem, 1_200)}\n`
  const none = problem === undefined && found.length === 0 ? `  # ${what}: nothing fits\n` : ''
  return `${why}${none}${found.map((each) => `  # ${what}: ${each}\n`).join('')}`
}
