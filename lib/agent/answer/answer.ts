/** Collects a model's stream into the parts of one answer. */
import type { EventOf } from '#lib/spec/event'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { CallPart, InvalidCall, Part } from '#lib/spec/message'
import type { FinishReason, ModelChunk, ModelFault, Usage } from '#lib/spec/model'
import type { StreamPiece } from '../feed'
import { readArgs } from '../fit/args'

export type AnswerReason = EventOf<'model.answered'>['finishReason']

/** How the stream ended. */
export type StreamEnding =
  | { readonly by: 'finish'; readonly reason: FinishReason; readonly usage: Usage }
  | { readonly by: 'fault'; readonly fault: ModelFault }

interface CallDraft {
  readonly type: 'call'
  readonly id: string
  wireId?: string
  /** As the model wrote it. */
  readonly said: string
  /** The tool's own name, as far as it is known before the arguments are complete. */
  name: string
  raw: string
  ended: boolean
  /** Takes the next piece of the arguments and returns what may be shown by now. */
  readonly show: (piece: string) => string
  /** What the protocol found wrong with the call. */
  invalid?: InvalidCall
  /**
   * The call as reported before the answer was complete. It is final, whatever the stream says of it later.
   */
  sealed?: CallPart
}

type Draft =
  | { readonly type: 'text' | 'reasoning'; text: string }
  | { readonly type: 'opaque'; readonly provider: string; readonly data: JsonValue }
  | CallDraft

/** The tool's own name for the name of a call, whose arguments may decide it. */
type NameOf = (said: string, args?: JsonObject) => string

const truncated = {
  code: 'truncated',
  message:
    'The answer was cut off before these arguments were complete, so the call was not run. Make the call shorter.',
} as const

export class Answer {
  readonly #step: number
  readonly #mayCall: boolean
  readonly #nameOf: NameOf
  readonly #hiding: HidingInAnswer
  readonly #drafts: Draft[] = []
  readonly #calls = new Map<number, CallDraft>()
  /** Calls that have been sealed, and the number of drafts up to the last of them. */
  readonly #told = new Set<string>()
  #sealed = 0
  #ending: StreamEnding | undefined

  /**
   * @param mayCall false for the closing answer, in which calls are ignored
   * @param nameOf maps the name of a call to the tool's own name
   * @param hiding how secrets are taken out of calls
   */
  constructor(
    step: number,
    mayCall: boolean,
    nameOf: NameOf = (name) => name,
    hiding: HidingInAnswer = hidesNothing,
  ) {
    this.#step = step
    this.#mayCall = mayCall
    this.#nameOf = nameOf
    this.#hiding = hiding
  }

  get ending(): StreamEnding | undefined {
    return this.#ending
  }

  /** Takes one chunk and returns the piece to show, if any. */
  hear(chunk: ModelChunk): StreamPiece | undefined {
    switch (chunk.type) {
      case 'text':
      case 'reasoning':
        return this.#hearWords(chunk)
      case 'call.start':
        return this.#hearCall(chunk.index, chunk.name, chunk.wireId)
      case 'call.args': {
        if (!this.#calls.has(chunk.index)) this.#hearCall(chunk.index, '')
        const call = this.#calls.get(chunk.index)
        if (call === undefined || call.sealed !== undefined) return undefined
        call.raw += chunk.text
        const argsText = call.show(chunk.text)
        if (argsText === '' && chunk.text !== '') return undefined
        return { type: 'call.delta', callId: call.id, name: call.name, argsText }
      }
      case 'call.end': {
        const call = this.#calls.get(chunk.index)
        if (call === undefined || call.sealed !== undefined) return undefined
        call.ended = true
        if (chunk.invalid !== undefined) call.invalid = chunk.invalid
        return undefined
      }
      case 'opaque':
        this.#drafts.push(chunk)
        return undefined
      case 'finish':
        this.#ending ??= { by: 'finish', reason: chunk.reason, usage: chunk.usage }
        return undefined
      case 'fault':
        this.#ending ??= { by: 'fault', fault: chunk.fault }
        return undefined
    }
    return chunk satisfies never
  }

  #hearWords({ type, text }: Extract<ModelChunk, { type: 'text' | 'reasoning' }>): StreamPiece | undefined {
    if (text === '') return undefined
    const last = this.#drafts.at(-1)
    if (last?.type === type) last.text += text
    else this.#drafts.push({ type, text })
    return { type: `${type}.delta`, text }
  }

  #hearCall(index: number, said: string, wireId?: string): StreamPiece | undefined {
    if (!this.#mayCall || this.#calls.has(index)) return undefined
    const name = this.#nameOf(said)
    const id = `call_${this.#step}_${this.#calls.size + 1}`
    const show = this.#hiding.inPieces()
    const call: CallDraft = { type: 'call', id, said, name, raw: '', ended: false, show }
    if (wireId !== undefined && wireId !== '') call.wireId = wireId
    this.#calls.set(index, call)
    this.#drafts.push(call)
    return { type: 'call.delta', callId: id, name, argsText: '' }
  }

  /** All text so far, including the calls. */
  words(): string {
    return this.#drafts
      .map((draft) => {
        if (draft.type === 'call') return draft.name + draft.raw
        return draft.type === 'opaque' ? '' : draft.text
      })
      .join('')
  }

  get hasSealed(): boolean {
    return this.#sealed > 0
  }

  /**
   * The next parts that will not change any more, ending in a complete call; undefined when there are none. A
   * call is sealed only after all calls before it, so parts are sealed in their order.
   */
  seal(): Part[] | undefined {
    for (let at = this.#sealed; at < this.#drafts.length; at++) {
      const draft = this.#drafts[at]
      if (draft?.type !== 'call') continue
      if (!draft.ended) return undefined
      if (isReplay(draft, this.#told)) continue
      draft.sealed = this.#hiding.inCall(callPart(draft, this.#nameOf))
      const parts = partsOf(this.#drafts.slice(this.#sealed, at + 1))
      this.#sealed = at + 1
      return parts
    }
    return undefined
  }

  /**
   * The parts, in the order in which they began. Arguments are parsed here, once. If an answer broke off
   * after a call was sealed, only the sealed parts are kept: text after them may be incomplete.
   */
  parts(reason: AnswerReason): Part[] {
    if (this.hasSealed && (reason === 'cut' || reason === 'fault'))
      return partsOf(this.#drafts.slice(0, this.#sealed))
    const lastCall = [...this.#calls.values()].at(-1)
    const seen = new Set<string>()
    const parts: Part[] = []
    for (const draft of this.#drafts) {
      if (draft.type !== 'call') parts.push({ ...draft })
      else if (!isReplay(draft, seen))
        parts.push(
          ...(draft.sealed
            ? [draft.sealed]
            : callIn(draft, { reason, isLast: draft === lastCall, nameOf: this.#nameOf }).map(
                this.#hiding.inCall,
              )),
        )
    }
    return parts
  }
}

/** How secrets are taken out of the calls of an answer. */
export interface HidingInAnswer {
  /** For the arguments of one call as they arrive: returns what of them may be shown by now. */
  inPieces(): (piece: string) => string
  inCall(part: CallPart): CallPart
}

const hidesNothing: HidingInAnswer = { inPieces: () => (piece) => piece, inCall: (part) => part }

/** The sealed drafts. A call among them that is not sealed repeats an earlier one and is left out. */
function partsOf(drafts: readonly Draft[]): Part[] {
  return drafts.flatMap((draft): Part[] => {
    if (draft.type !== 'call') return [{ ...draft }]
    return draft.sealed === undefined ? [] : [draft.sealed]
  })
}

/** A call that a provider sends twice under one id is one call. */
function isReplay({ wireId, name, raw }: CallDraft, seen: Set<string>): boolean {
  if (wireId === undefined) return false
  const key = `${wireId.length}:${name.length}:${wireId}${name}${raw}`
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

function callPart({ id, wireId, said, raw, invalid }: CallDraft, nameOf: NameOf): CallPart {
  // The protocol decides: text that it could not read may still look like complete arguments.
  const read = invalid === undefined ? readArgs(raw) : { invalid }
  const name = nameOf(said, 'args' in read ? read.args : undefined)
  return { type: 'call', id, ...(wireId === undefined ? {} : { wireId }), name, rawArgs: raw, ...read }
}

interface Ended {
  readonly reason: AnswerReason
  readonly isLast: boolean
  readonly nameOf: NameOf
}

/**
 * The call that is left, by the reason of the answer's end: none when the model failed, only complete ones
 * when it was stopped.
 */
function callIn(draft: CallDraft, { reason, isLast, nameOf }: Ended): CallPart[] {
  if (reason === 'fault' || reason === 'cut') return []
  const part = callPart(draft, nameOf)
  if (reason === 'cancelled' && (!draft.ended || part.invalid !== undefined)) return []
  const wasCut = reason === 'length' || reason === 'filter'
  const isWhole = part.args !== undefined && (draft.raw.trim() !== '' || !isLast)
  if (!wasCut || isWhole) return [part]
  const { args: _, ...rest } = part
  return [{ ...rest, invalid: truncated }]
}
