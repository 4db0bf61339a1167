/** The dialogue that a caller gives to a new run, as messages of the run and as a record of what came into it. */
import { readArgs } from '#lib/agent/fit/args'
import type { Earlier } from '#lib/spec/event'
import type { CallPart, Message, Part } from '#lib/spec/message'
import type { GivenHistory } from '#lib/wire/messages'

type GivenPart = Extract<GivenHistory[number], { role: 'assistant' }>['parts'][number]

export function historyFrom(given: GivenHistory): Message[] {
  return given.map((each): Message => {
    if (each.role !== 'assistant') {
      // An id from outside could name a file of another thread.
      const { pictures: _, ...message } = each
      return message
    }
    return { role: 'assistant', parts: each.parts.map(partFrom) }
  })
}

function partFrom(given: GivenPart): Part {
  if (given.type !== 'call') return given
  const { id, name, args = {}, rawArgs = JSON.stringify(args) } = given
  const call: CallPart = { type: 'call', id, name, rawArgs, ...readArgs(rawArgs) }
  return call
}

/** Results of tools may come from outside, as those of earlier runs of a thread; undefined if there are none. */
export function earlierInHistory(history: readonly Message[]): Earlier | undefined {
  const tools = new Set(history.flatMap((each) => (each.role === 'tool' ? [each.name] : [])))
  return tools.size === 0 ? undefined : { tools: [...tools], files: false }
}
