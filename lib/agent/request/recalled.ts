/** What a run was given from memory and knowledge, as messages after its question. */
import type { Message } from '#lib/spec/message'
import { knowledgeText, memoryText } from '#lib/spec/recall-text'
import type { RecallState, RunState } from '#lib/spec/state'

const made = new WeakMap<RecallState, Message>()

/** Messages keep their identity from request to request. */
export function recalledMessages({ recall = [] }: Pick<RunState, 'recall'>): Message[] {
  return recall.flatMap((each) => {
    const known = made.get(each)
    if (known !== undefined) return [known]
    const text = textOf(each)
    if (text === '') return []
    const message: Message = { role: 'user', text }
    made.set(each, message)
    return [message]
  })
}

function textOf(given: RecallState): string {
  switch (given.type) {
    case 'memory.retrieved':
      return memoryText(given.entries)
    case 'knowledge.retrieved':
      return knowledgeText(given.passages)
    case 'memory.recorded':
      return ''
  }
  return given satisfies never
}
