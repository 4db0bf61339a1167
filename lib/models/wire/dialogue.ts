/** Writes the messages of a dialogue that grows from request to request; only what is new is written and joined. */
import type { Message } from '#lib/spec/message'

export interface WrittenDialogue {
  /** One text for each message; empty for a message of which nothing is sent. */
  readonly texts: readonly string[]
  /** All that are not empty, separated by commas. */
  readonly joined: string
}

interface Known {
  readonly messages: readonly Message[]
  readonly texts: readonly string[]
  /** How many messages the last two requests had in common, and their texts joined. */
  readonly shared: number
  readonly sharedText: string
}

const nothing: Known = { messages: [], texts: [], shared: 0, sharedText: '' }

/**
 * @param write the texts of the messages from `from` on; each may depend on its message and those before it
 */
export function dialogueWriter(
  write: (messages: readonly Message[], from: number) => string[],
): (messages: readonly Message[]) => WrittenDialogue {
  // The requests of a run begin with the same message object, and other runs use the same writer.
  const dialogues = new WeakMap<Message, Known>()
  return (messages) => {
    const [first] = messages
    if (first === undefined) return nothingWritten
    const known = dialogues.get(first) ?? nothing
    const shared = sharedCount(known.messages, messages)
    const added = write(messages, shared)
    const texts = [...known.texts.slice(0, shared), ...added]
    const sharedText =
      shared < known.shared
        ? join('', texts.slice(0, shared))
        : join(known.sharedText, texts.slice(known.shared, shared))
    dialogues.set(first, { messages, texts, shared, sharedText })
    return { texts, joined: join(sharedText, added) }
  }
}

const nothingWritten: WrittenDialogue = { texts: [], joined: '' }

function sharedCount(one: readonly Message[], other: readonly Message[]): number {
  let count = 0
  while (count < one.length && one[count] === other[count]) count += 1
  return count
}

/** Adding to a long text does not copy it, but joining all texts again would. */
function join(before: string, texts: readonly string[]): string {
  let text = before
  for (const each of texts) if (each !== '') text += text === '' ? each : `,${each}`
  return text
}

/** The texts that are not empty, separated by commas. */
export function withCommas(texts: readonly string[]): string {
  return join('', texts)
}

/** The last answer before a place, to whose calls results from there on may belong. */
export function answerBefore(
  messages: readonly Message[],
  place: number,
): Extract<Message, { role: 'assistant' }> | undefined {
  for (let at = place - 1; at >= 0; at--) {
    const message = messages[at]
    if (message?.role === 'assistant') return message
  }
  return undefined
}
