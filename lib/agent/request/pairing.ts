/** Repairs what providers refuse, on the model's copy: calls without results, results without calls. */
import { callsOf, type Message, type Part } from '#lib/spec/message'

type Result = Extract<Message, { role: 'tool' }>
type Answer = Extract<Message, { role: 'assistant' }>

interface Turn {
  readonly message: Message
  /** By call id, in call order; undefined where the result is missing. Absent when nothing was called. */
  readonly results?: Map<string, Result | undefined>
}

const missing = 'Error: Interrupted. The result of this call was lost; it may or may not have happened.'

/**
 * Returns messages in which every answer is followed by exactly the results of its calls, in call order. A
 * result is found by id, anywhere before that id is used again. Missing results are filled in, orphans and
 * repeats are left out. Messages that need no repair stay the same objects.
 */
export function pair(messages: readonly Message[]): Message[] {
  const turns: Turn[] = []
  const open = new Map<string, Turn>()
  for (const message of messages) {
    if (message.role === 'tool') {
      const turn = open.get(message.callId)
      open.delete(message.callId)
      turn?.results?.set(message.callId, message)
      continue
    }
    const turn = turnOf(message)
    turns.push(turn)
    for (const id of turn.results?.keys() ?? []) open.set(id, turn)
  }
  const paired: Message[] = []
  for (const { message, results } of turns) {
    paired.push(message)
    if (results !== undefined) paired.push(...resultsOf(message, results))
  }
  return paired
}

function turnOf(message: Exclude<Message, Result>): Turn {
  if (message.role === 'user') return { message }
  const calls = callsOf(message.parts)
  if (calls.length === 0) return { message }
  return { message: withoutRepeats(message), results: new Map(calls.map(({ id }) => [id, undefined])) }
}

function withoutRepeats(message: Answer): Answer {
  const seen = new Set<string>()
  const parts = message.parts.filter(
    (part) => part.type !== 'call' || (!seen.has(part.id) && seen.add(part.id)),
  )
  return parts.length === message.parts.length ? message : { role: 'assistant', parts }
}

function resultsOf(message: Message, results: NonNullable<Turn['results']>): Message[] {
  if (message.role !== 'assistant') return []
  return callsOf(message.parts).map(
    ({ id, name }): Message =>
      results.get(id) ?? { role: 'tool', callId: id, name, text: missing, isError: true },
  )
}

/**
 * Gives new ids to the calls of earlier runs, since every run counts its calls from the start: `call_0_1`,
 * `call_0_2` … never clash with ids of this run. The providers' own ids are dropped. Takes paired messages.
 */
export function renumber(messages: readonly Message[]): Message[] {
  let count = 0
  const ids = new Map<string, string>()
  const anew = (part: Part): Part => {
    if (part.type !== 'call') return part
    const { wireId: _, ...call } = part
    const id = `call_0_${++count}`
    ids.set(part.id, id)
    return { ...call, id }
  }
  return messages.map((message): Message => {
    if (message.role === 'user') return message
    if (message.role === 'tool') return { ...message, callId: ids.get(message.callId) ?? message.callId }
    if (!message.parts.some(({ type }) => type === 'call')) return message
    return { role: 'assistant', parts: message.parts.map(anew) }
  })
}

/**
 * Some providers restart their ids with every answer. Where an id comes again, it is dropped and ours is
 * used.
 * @param seen the provider ids of the messages before these; the ids of these are added
 */
export function dropRepeatedWireIds(messages: readonly Message[], seen: Set<string>): Message[] {
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    let again = false
    for (const { wireId } of callsOf(message.parts)) {
      if (wireId === undefined) continue
      if (seen.has(wireId)) again = true
      seen.add(wireId)
    }
    return again ? withoutWireIds(message) : message
  })
}

function withoutWireIds({ parts }: Answer): Answer {
  return {
    role: 'assistant',
    parts: parts.map((part) => {
      if (part.type !== 'call') return part
      const { wireId: _, ...call } = part
      return call
    }),
  }
}
