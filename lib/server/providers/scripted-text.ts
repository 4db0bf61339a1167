/**
 * Lets a scripted model, which knows no text format, take part in one: its calls are written
 * as a model would write them.
 */
import { type Message, textOf } from '#lib/spec/message'
import type { ModelChunk, ModelClient } from '#lib/spec/model'
import type { Codec } from '#lib/spec/protocol'

/**
 * Wraps a client for a text format. It reads the messages as they were before the format turned them into
 * text, and its answer, once complete, is sent as text in the format, piece by piece.
 */
export function inWords(client: ModelClient, codec: Codec): ModelClient {
  return {
    ...client,
    encode: ({ plain, ...request }) => client.encode({ ...request, ...plain }),
    async *stream(body, signal) {
      const answer = new PlainAnswer()
      for await (const chunk of client.stream(body, signal)) {
        if (chunk.type !== 'finish') {
          if (!answer.took(chunk)) yield chunk
          continue
        }
        for (const text of pieces(encodeAnswer(codec, answer.parts()))) yield { type: 'text', text }
        // Calls in a text format are text, so the answer stops as after any text.
        yield chunk.reason === 'calls' ? { ...chunk, reason: 'stop' } : chunk
      }
    },
  }
}

type AssistantParts = Extract<Message, { role: 'assistant' }>['parts']

class PlainAnswer {
  #text = ''
  #reasoning = ''
  readonly #calls: { name: string; rawArgs: string }[] = []

  /** Whether the chunk is part of the answer. */
  took(chunk: ModelChunk): boolean {
    switch (chunk.type) {
      case 'text':
        this.#text += chunk.text
        return true
      case 'reasoning':
        this.#reasoning += chunk.text
        return true
      case 'call.start':
        this.#calls[chunk.index] = { name: chunk.name, rawArgs: '' }
        return true
      case 'call.args': {
        const call = this.#calls[chunk.index]
        if (call !== undefined) call.rawArgs += chunk.text
        return true
      }
      case 'call.end':
        return true
      case 'opaque':
      case 'finish':
      case 'fault':
        return false
    }
    return chunk satisfies never
  }

  parts(): AssistantParts {
    return [
      ...(this.#reasoning === '' ? [] : [{ type: 'reasoning', text: this.#reasoning } as const]),
      ...(this.#text === '' ? [] : [{ type: 'text', text: this.#text } as const]),
      ...this.#calls.map(({ name, rawArgs }, index) => {
        const args = JSON.parse(rawArgs)
        return { type: 'call', id: `call_${index}`, name, rawArgs, args } as const
      }),
    ]
  }
}

/** Encodes the answer as the format writes a past answer. */
function encodeAnswer(codec: Codec, parts: AssistantParts): string {
  const messages: Message[] = [{ role: 'assistant', parts }]
  const [answer] = codec.encode({ instructions: '', messages, offerTools: false }).messages
  return answer?.role === 'assistant' ? textOf(answer.parts) : ''
}

/** Splits by code points, so that no character is cut in half. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}/gu) ?? []
}
