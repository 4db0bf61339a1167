/** The document of a call, such as a report, as far as the model has written it. */
import { ArrivingTexts } from '#lib/spec/arriving-texts'
import type { JsonValue } from '#lib/spec/json'
import type { CallState, RunState } from '#lib/spec/state'

export interface ReportDraft {
  readonly callId: string
  /** What it is called; empty while that is not known. */
  readonly title: string
  /** Markdown. */
  readonly text: string
  /** The model writes it, a person must decide on its call, or the tool makes it. */
  readonly stage: 'writing' | 'waiting' | 'making'
}

/** The readers of arguments that arrive, with the characters that each has read. */
const readers = new WeakMap<CallState, { readonly reader: ArrivingTexts; read: number }>()

/** Undefined for calls that write none, and before its first character. */
export function draftOf(call: CallState): ReportDraft | undefined {
  const { draft, args, id, argsText, status } = call
  if (draft === undefined) return undefined
  const of = args === undefined ? arriving(call, argsText) : (key: string) => textIn(args[key])
  const text = draft.map(of).find(Boolean)
  if (text === undefined) return undefined
  return { callId: id, title: of('title') ?? of('path') ?? '', text, stage: stageOf(status) }
}

function stageOf(status: CallState['status']): ReportDraft['stage'] {
  if (status === 'streaming') return 'writing'
  return status === 'waiting' ? 'waiting' : 'making'
}

const grownBy = 1 / 200

/** Each character of the arguments is read once, however often they are looked at. */
function arriving(call: CallState, argsText: string): (key: string) => string | undefined {
  const known = readers.get(call) ?? { reader: new ArrivingTexts(), read: 0 }
  readers.set(call, known)
  // Taking a part of a growing text copies all of it, so that is done when it has grown by a part of itself.
  if (argsText.length > known.read * (1 + grownBy)) {
    known.reader.push(copied(argsText.slice(known.read)))
    known.read = argsText.length
  }
  return (key) => known.reader.texts.get(key)
}

/** A part of a text holds the whole text in memory; its copy does not. */
function copied(part: string): string {
  return part.split('').join('')
}

function textIn(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const underWay: ReadonlySet<CallState['status']> = new Set(['streaming', 'due', 'waiting', 'running'])

/** The document that the run writes now: the last one of its last step that has begun and is not finished. */
export function draftNow({ steps, finishedAt }: RunState): ReportDraft | undefined {
  if (finishedAt !== undefined) return undefined
  const calls = steps.at(-1)?.calls ?? []
  for (let at = calls.length - 1; at >= 0; at--) {
    const call = calls[at]
    const draft = call !== undefined && underWay.has(call.status) ? draftOf(call) : undefined
    if (draft !== undefined) return draft
  }
  return undefined
}

/** What the document that the run has made is called: by its call, or else by what is said of the file. */
export function madeTitle({ document, calls }: RunState): string {
  if (document === undefined) return ''
  const { artifact, callId } = document
  return textIn(calls.get(callId)?.args?.title) || artifact.description || artifact.name
}
