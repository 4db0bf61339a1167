/** Decides what a fork copies from its parent: the events before its step, and a person's change there. */
import { type EventOf, isDelta, type RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type CallPart, callsOf, type Part, textOf } from '#lib/spec/message'
import { estimateTokens } from '#lib/spec/tokens'
import { readArgs } from '../fit/args'
import { splitPath } from '../state/inner-path'

/** A part of an answer as a person gives it. Its ids and unparsed arguments are made here. */
export type GivenPart =
  | Exclude<Part, CallPart>
  | { readonly type: 'call'; readonly name: string; readonly args?: JsonObject; readonly rawArgs?: string }

export type GivenEdit =
  | { readonly prompt: string }
  | { readonly reply: readonly GivenPart[] }
  | { readonly callId: string; readonly args: JsonObject }
  | { readonly callId: string; readonly result: string }
  /** Of the steps that were summed up before this step's request. */
  | { readonly summary: string }

export interface ForkAt {
  readonly step: number
  /** Absent when the step is asked again unchanged. */
  readonly edit?: GivenEdit
}

/** Why a run cannot be forked at this point, in words for the person who asked. */
export interface ForkRefusal {
  readonly code: 'not_found' | 'unprocessable'
  readonly message: string
  /** The place in the request. */
  readonly path: string
}

export type Kept =
  | { readonly ok: true; readonly value: readonly RunEvent[] }
  | { readonly ok: false; readonly error: ForkRefusal }

/**
 * The events that a fork copies, in order and with their old numbers, changed by the edit. Empty when the
 * edit changes the question. Starts, resumes, ends and deltas are left out: a fork has its own.
 */
export function keepForFork(events: readonly RunEvent[], { step, edit }: ForkAt): Kept {
  if (edit !== undefined && 'prompt' in edit) return stepAt(events, step) < 0 ? noStep(step) : keepAll([])
  const kept = keepUpTo(events, { step, ...(edit && { edit }) })
  return kept.ok ? keepAll(kept.value.events) : kept
}

/** An edit of a step: all but a change of the question, of which no step is left. */
export type StepEdit = Exclude<GivenEdit, { prompt: string }>

export interface KeptUpTo {
  readonly events: readonly RunEvent[]
  /** The number of the last event that counts as having happened. */
  readonly through: number
}

export function keepUpTo(
  events: readonly RunEvent[],
  { step, edit }: { readonly step: number; readonly edit?: StepEdit },
): { readonly ok: true; readonly value: KeptUpTo } | ReturnType<typeof refuse> {
  const from = stepAt(events, step)
  const start = events[from]
  if (start === undefined) return noStep(step)
  const before = keptBefore(events, from)
  if (edit === undefined) return { ok: true, value: { events: before, through: start.seq } }
  const changed = keepWithin(stepFrom(events, from), step, edit)
  if (!changed.ok) return changed
  const through = changed.value.at(-1)?.seq ?? start.seq
  return { ok: true, value: { events: [...before, ...changed.value], through } }
}

/** Where the step begins; -1 when the run has no such step. */
export function stepAt(events: readonly RunEvent[], step: number): number {
  return events.findIndex((each) => isOwn(each) && each.type === 'step.started' && each.step === step)
}

function noStep(step: number) {
  return refuse('not_found', `This run has no step ${step} of its own.`, 'step')
}

/** What is copied of the steps before the one that begins at `from`. */
export function keptBefore(events: readonly RunEvent[], from: number): RunEvent[] {
  const step = events[from]?.step ?? 0
  return withResults(events.slice(0, from).filter(isDialogue), events.slice(from), step)
}

/**
 * A call in the background that began before the step is not run again, so its result is copied even when it
 * came later. What it asked a person stays with its own run.
 */
function withResults(before: readonly RunEvent[], later: readonly RunEvent[], step: number): RunEvent[] {
  const open = new Set<string>()
  for (const each of before) {
    if (!isOwn(each)) continue
    if (each.type === 'call.started' && each.background !== undefined) open.add(each.callId)
    if (isResult(each)) open.delete(each.callId)
  }
  const results = later.filter((each) => isOwn(each) && isResult(each) && open.has(each.callId))
  const kept = before.filter((each) => !(isOwn(each) && isQuestion(each) && open.has(each.callId)))
  return [...kept, ...results.map((each) => ({ ...each, step: step - 1 }))]
}

function keepWithin(within: readonly RunEvent[], step: number, edit: StepEdit): Kept {
  if ('reply' in edit) return keepWithReply(within, edit.reply)
  return 'summary' in edit
    ? keepWithSummary(within, step, edit.summary)
    : keepWithChangedCall(within, step, edit)
}

/** The person's text replaces the steps that were summed up, and the model is asked again. */
function keepWithSummary(within: readonly RunEvent[], step: number, summary: string): Kept {
  const at = within.findLastIndex((each) => isCut(each) && each.summary !== undefined)
  const cut = within[at]
  if (cut === undefined || !isCut(cut))
    return refuse('unprocessable', `No summary was made for the request of step ${step}.`, 'step')
  const { failed: _, ...made } = cut
  const more = estimateTokens(summary) - estimateTokens(cut.summary ?? '')
  const tokensAfter = Math.max(0, cut.tokensAfter + more)
  return keepAll([
    ...within.slice(0, at).filter(isHead),
    { ...made, summary, tokensAfter, edited: true as const },
  ])
}

function keepWithChangedCall(
  within: readonly RunEvent[],
  step: number,
  edit: Extract<GivenEdit, { callId: string }>,
): Kept {
  const { callId } = edit
  const answer = within.findLast(isAnswer)
  if (answer === undefined) return refuse('unprocessable', `Step ${step} has no answer yet.`, 'step')
  if (!callsOf(answer.parts).some(({ id }) => id === callId))
    return refuse(
      'not_found',
      `Step ${step} has no call "${callId.slice(0, 100)}" of its own.`,
      'edit/callId',
    )
  const head = within.filter(isHead)
  if ('args' in edit) return keepAll(head.map((each) => (each === answer ? withArgs(answer, edit) : each)))
  return keepWithResult(within, edit, { head, answer })
}

function withArgs(
  answer: EventOf<'model.answered'>,
  { callId, args }: Extract<GivenEdit, { args: JsonObject }>,
): RunEvent {
  const parts = answer.parts.map((part): Part => {
    if (part.type !== 'call' || part.id !== callId) return part
    // What a person left of a placeholder is only text.
    const { invalid: _, redacted: __, ...call } = part
    return { ...call, rawArgs: JSON.stringify(args), args }
  })
  const before = answer.edited ?? []
  const edited = before === 'all' ? before : [...new Set([...before, callId])]
  return { ...goingOn(answer), parts, edited }
}

/** A cut or cancelled answer counts as complete in the fork: a person chose to continue from it. */
export function goingOn(answer: EventOf<'model.answered'>): EventOf<'model.answered'> {
  const { fault: _, ...rest } = answer
  const isWhole = answer.finishReason === 'calls' || answer.finishReason === 'stop'
  return { ...rest, finishReason: isWhole ? answer.finishReason : 'calls' }
}

/**
 * The person's text becomes the result. Of the step's other calls, those that had a result by then are kept.
 */
function keepWithResult(
  within: readonly RunEvent[],
  { callId, result }: Extract<GivenEdit, { result: string }>,
  { head, answer }: { head: readonly RunEvent[]; answer: RunEvent },
): Kept {
  const end = within.findIndex((each) => isOwn(each) && isResult(each) && each.callId === callId)
  if (end < 0) return refuse('unprocessable', 'This call has no observation yet.', 'edit/callId')
  const until = within.slice(0, end + 1)
  const ended = new Set(until.flatMap((each) => (isOwn(each) && isResult(each) ? [each.callId] : [])))
  const tail = until.filter((each) => !isHead(each) && isDialogue(each) && belongs(each, ended))
  const changed = tail.map((each) =>
    isOwn(each) && isResult(each) && each.callId === callId ? withResult(each, result) : each,
  )
  const answered = head.map((each) => (each === answer && isAnswer(each) ? goingOn(each) : each))
  return keepAll([...answered, ...changed])
}

/**
 * Calls that had not ended are due again, so their events are left out, and a hook whose denial ended the run
 * is asked again. Events of a sub-agent stay with the call that ran it.
 */
export function belongs(event: RunEvent, ended: ReadonlySet<string>): boolean {
  if (event.type === 'call.sealed') return false
  if (event.type === 'hook.called' && event.callId === undefined && event.decision === 'deny') return false
  const callId = 'callId' in event ? event.callId : undefined
  if (event.parent !== undefined) return ended.has(splitPath(event.parent)[0])
  return callId === undefined || ended.has(callId)
}

function withResult(event: EventOf<'call.finished'>, text: string): RunEvent {
  const { artifact: _, cached: __, metadata: ___, note: ____, final, ...rest } = event
  const result = { blocks: [{ type: 'text' as const, text }], text }
  const told = { ...rest, status: 'ok' as const, code: null, result, edited: true as const }
  return final === undefined ? told : { ...told, final: { answer: text } }
}

function keepWithReply(within: readonly RunEvent[], given: readonly GivenPart[]): Kept {
  const head = within.filter(isHead)
  const asked = head.findLastIndex((each) => each.type === 'model.requested')
  const request = head[asked]
  if (request === undefined)
    return refuse('unprocessable', 'This step did not call a model, so there is no reply to change.', 'step')
  const parts = partsOf(given, request.step)
  if (callsOf(parts).length === 0 && textOf(parts).trim() === '')
    return refuse('unprocessable', 'A reply must contain text or a tool call.', 'edit/reply')
  const isClosing = request.type === 'model.requested' && request.counts.tools === 0
  if (isClosing && callsOf(parts).length > 0)
    return refuse(
      'unprocessable',
      'No tool was offered at this step, so its reply cannot call one.',
      'edit/reply',
    )
  const answer: RunEvent = {
    type: 'model.answered',
    seq: request.seq,
    at: request.at,
    step: request.step,
    parts,
    usage: { input: 0, output: 0 },
    finishReason: callsOf(parts).length > 0 ? 'calls' : 'stop',
    durationMs: 0,
    firstTokenMs: null,
    edited: 'all',
  }
  return keepAll([...head.slice(0, asked + 1), answer])
}

function partsOf(given: readonly GivenPart[], step: number): Part[] {
  let count = 0
  return given.map((part): Part => {
    if (part.type !== 'call') return part
    const { name, args, rawArgs } = part
    const id = `call_${step}_${++count}`
    if (args !== undefined) return { type: 'call', id, name, rawArgs: JSON.stringify(args), args }
    return { type: 'call', id, name, rawArgs: rawArgs ?? '', ...readArgs(rawArgs ?? '') }
  })
}

/** From a step's start to the next step's, or to the end of the events. */
export function stepFrom(events: readonly RunEvent[], from: number): readonly RunEvent[] {
  const isNext = (each: RunEvent) => isOwn(each) && (each.type === 'step.started' || isEnd(each))
  const end = events.findIndex((each, index) => index > from && isNext(each))
  return end < 0 ? events.slice(from) : events.slice(from, end)
}

function isEnd({ type }: RunEvent): boolean {
  return type === 'step.finished' || type === 'run.summarizing' || type === 'run.finished'
}

/** Whether the event belongs to the run itself, not to an agent that it called. */
export function isOwn({ parent }: RunEvent): boolean {
  return parent === undefined
}

const fresh: ReadonlySet<RunEvent['type']> = new Set([
  'run.queued',
  'run.started',
  'run.resumed',
  'run.finished',
])

export function isDialogue(event: RunEvent): boolean {
  return !isDelta(event) && !(isOwn(event) && fresh.has(event.type))
}

const headTypes: ReadonlySet<RunEvent['type']> = new Set([
  'step.started',
  'context.truncated',
  'context.compacted',
  'model.requested',
  'model.retried',
  'protocol.warned',
  'model.answered',
])

/** What happened in a step before its calls. */
export function isHead(event: RunEvent): boolean {
  if (!isOwn(event)) return false
  // The request contains this hook's note.
  return event.type === 'hook.called' ? event.on === 'pre_reasoning' : headTypes.has(event.type)
}

export function isAnswer(event: RunEvent): event is EventOf<'model.answered'> {
  return isOwn(event) && event.type === 'model.answered'
}

function isCut(event: RunEvent): event is EventOf<'context.compacted'> {
  return isOwn(event) && event.type === 'context.compacted'
}

export function isQuestion(event: RunEvent): event is EventOf<'input.requested' | 'input.given'> {
  return event.type === 'input.requested' || event.type === 'input.given'
}

export function isResult(event: RunEvent): event is EventOf<'call.finished'> {
  return event.type === 'call.finished'
}

function keepAll(value: readonly RunEvent[]): Kept {
  return { ok: true, value }
}

export function refuse(
  code: ForkRefusal['code'],
  message: string,
  path: string,
): Extract<Kept, { ok: false }> {
  return { ok: false, error: { code, message, path } }
}
