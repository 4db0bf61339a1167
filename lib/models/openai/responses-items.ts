/** The items of a Responses answer while they grow: words, thoughts, calls, and whatever else must go back as it came. */
import type { JsonObject } from '#lib/spec/json'
import type { Outlet } from '../wire/chunk-buffer'
import { isObject, listIn, textIn } from '../wire/json'
import { phaseMark, responses } from './responses-body'

export interface Item {
  /** A piece of what a reader sees of it. */
  words(text: string): void
  /** A piece of what the model thinks. */
  thought(text: string): void
  /** Another paragraph of thoughts begins. */
  paragraph(): void
  args(text: string): void
  /** The item as it stands when complete; absent when the answer ended without saying so. */
  done(item?: JsonObject): void
}

interface Place {
  readonly out: Outlet
  /** The index a call would have. */
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

function messageItem(out: Outlet): Item {
  let hasWords = false
  return {
    ...none,
    words(text) {
      if (text !== '') hasWords = true
      out.text(text)
    },
    done(item = {}) {
      // Without deltas all of it stands in the item itself.
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

/** Shown as it comes; what goes back is the item, which is worth nothing without every letter. */
function reasoningItem(out: Outlet): Item {
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

function callItem(item: JsonObject, out: Outlet, index: number): Item {
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

/** Some send the object itself in place of its text. */
function argumentsIn(item: JsonObject): string {
  return isObject(item.arguments) ? JSON.stringify(item.arguments) : textIn(item, 'arguments')
}
