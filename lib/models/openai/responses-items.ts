/**
 * Reads the items of a Responses answer while they grow: text, reasoning, calls, and other items that
 * must be sent back unchanged.
 */
import { isObject, type JsonObject } from '#lib/spec/json'
import type { ChunkBuffer } from '../wire/chunk-buffer'
import { listIn, textIn } from '../wire/json'
import { phaseMark, responses } from './responses-body'

export interface Item {
  /** A piece of the text that the reader sees. */
  words(text: string): void
  /** A piece of the reasoning. */
  thought(text: string): void
  /** A new paragraph of reasoning starts. */
  paragraph(): void
  args(text: string): void
  /** The complete item; absent if the answer ended without it. */
  done(item?: JsonObject): void
}

interface Place {
  readonly out: ChunkBuffer
  /** The index of the next call. */
  readonly call: number
}

const none: Item = {
  words: () => undefined,
  thought: () => undefined,
  paragraph: () => undefined,
  args: () => undefined,
  done: () => undefined,
}

export function openItem(item: JsonObject, { out, call }: Place): Item {
  switch (item.type) {
    case 'message':
      return messageItem(out)
    case 'reasoning':
      return reasoningItem(out)
    case 'function_call':
      return callItem(item, out, call)
    default:
      // The service may send kinds of items that are not known yet: they are kept and sent back.
      return { ...none, done: (whole) => out.opaque(responses, whole ?? item) }
  }
}

function messageItem(out: ChunkBuffer): Item {
  let hasWords = false
  return {
    ...none,
    words(text) {
      if (text !== '') hasWords = true
      out.text(text)
    },
    done(item = {}) {
      // Without deltas, the whole text is in the item itself.
      const whole = hasWords ? '' : wordsIn(item)
      out.text(whole)
      const phase = textIn(item, 'phase')
      if (phase !== '' && (hasWords || whole !== '')) out.opaque(responses, { type: phaseMark, phase })
    },
  }
}

function wordsIn(item: JsonObject): string {
  return listIn(item, 'content')
    .map((part) => (isObject(part) ? textIn(part, 'text') || textIn(part, 'refusal') : ''))
    .join('')
}

/**
 * Reasoning is shown as it arrives. The item itself is sent back, and must be complete to the last character.
 */
function reasoningItem(out: ChunkBuffer): Item {
  let hasThoughts = false
  let isDue = false
  const thought = (text: string) => {
    if (text === '') return
    out.reasoning(isDue ? `\n\n${text}` : text)
    hasThoughts = true
    isDue = false
  }
  const paragraph = () => {
    isDue = hasThoughts
  }
  return {
    ...none,
    thought,
    paragraph,
    done(item) {
      if (item === undefined) return
      if (!hasThoughts)
        for (const part of [...listIn(item, 'summary'), ...listIn(item, 'content')]) {
          paragraph()
          if (isObject(part)) thought(textIn(part, 'text'))
        }
      out.opaque(responses, item)
    },
  }
}

function callItem(item: JsonObject, out: ChunkBuffer, index: number): Item {
  const id = textIn(item, 'call_id')
  let hasArgs = false
  out.callStart(index, textIn(item, 'name'), id === '' ? undefined : id)
  const args = (text: string) => {
    if (text !== '') hasArgs = true
    out.callArgs(index, text)
  }
  return {
    ...none,
    args,
    done(whole) {
      if (whole === undefined) return
      if (!hasArgs) args(argumentsIn(whole))
      out.callEnd(index)
    },
  }
}

/** Some services send the object itself instead of its text. */
function argumentsIn(item: JsonObject): string {
  return isObject(item.arguments) ? JSON.stringify(item.arguments) : textIn(item, 'arguments')
}
