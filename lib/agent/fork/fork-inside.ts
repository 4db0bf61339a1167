/**
 * Decides what a fork copies that continues at a step of a run inside a call: of that run what came before the step,
 * and of each run around it what came before the call, with what had happened beside the call until then.
 */
import type { EventOf, RunEvent } from '#lib/spec/event'
import { callsOf } from '#lib/spec/message'
import { joinPath, placeOf, splitPath } from '../state/inner-path'
import {
  belongs,
  type ForkAt,
  goingOn,
  isAnswer,
  isDialogue,
  isHead,
  isOwn,
  isQuestion,
  isResult,
  type Kept,
  type KeptUpTo,
  keepUpTo,
  keptBefore,
  refuse,
  type StepEdit,
  stepAt,
  stepFrom,
} from './fork'

interface ForkInside extends ForkAt {
  /** The ids of the calls around the run inside, from the outermost, joined by `/`. */
  readonly parent: string
}

/** The calls around the run go on in the fork. Calls beside them that had not ended by then run again. */
export function keepForForkInside(events: readonly RunEvent[], { parent, step, edit }: ForkInside): Kept {
  if (edit !== undefined && 'prompt' in edit)
    return refuse(
      'unprocessable',
      'A run inside a call has no question of its own. Its task is in the arguments of the call, which a fork of the run around it can change.',
      'edit/prompt',
    )
  const kept = keepAround(events, parent, { step, ...(edit && { edit }) })
  return kept.ok ? { ok: true, value: kept.value.events } : kept
}

type Around = ReturnType<typeof keepUpTo>

function keepAround(
  events: readonly RunEvent[],
  path: string,
  at: { readonly step: number; readonly edit?: StepEdit },
): Around {
  const [callId, rest] = splitPath(path)
  const inside = eventsInside(events, callId)
  const [begun] = inside
  if (begun === undefined)
    return refuse('not_found', `There is no run inside a call "${callId.slice(0, 100)}".`, 'parent')
  const kept = rest === undefined ? keepUpTo(inside, at) : keepAround(inside, rest, at)
  if (!kept.ok) return kept
  const answer = events.findLast(
    (each) => isAnswer(each) && callsOf(each.parts).some(({ id }) => id === callId),
  )
  if (answer === undefined)
    return refuse('unprocessable', 'The step that made the call has no answer yet.', 'parent')
  const from = stepAt(events, answer.step)
  const { through } = kept.value
  const own = upToCall(events, { from, callId, through })
  const within = [begun, ...kept.value.events].map((each) => ({
    ...each,
    parent: joinPath(callId, each.parent),
  }))
  return { ok: true, value: { events: [...keptBefore(events, from), ...merged(own, within)], through } }
}

/** The events of the run inside the call, as those of a run; of several attempts, those of the last one. */
function eventsInside(events: readonly RunEvent[], callId: string): RunEvent[] {
  const all = events.flatMap(({ parent, ...event }): RunEvent[] => {
    if (parent === undefined) return []
    const [outermost, deeper] = splitPath(parent)
    return outermost === callId ? [deeper === undefined ? event : { ...event, parent: deeper }] : []
  })
  const begins = all.findLastIndex((each) => isOwn(each) && each.type === 'run.started')
  return begins < 0 ? [] : all.slice(begins)
}

interface Call {
  /** Where the step of the call begins. */
  readonly from: number
  readonly callId: string
  readonly through: KeptUpTo['through']
}

/**
 * Of the call's step: its answer, the call without a result, and the calls that had ended by then. A call in the
 * background that had begun is not run again either, so its result is copied when it came later.
 */
function upToCall(events: readonly RunEvent[], { from, callId, through }: Call): RunEvent[] {
  const step = stepFrom(events, from)
  const answer = step.findLast(isAnswer)
  const calls = new Set(callsOf(answer?.parts ?? []).map(({ id }) => id))
  const until = events.slice(from).filter(({ seq }) => seq <= through)
  const ended = new Set(
    until.flatMap((each) => (isOwn(each) && isResult(each) && calls.has(each.callId) ? [each.callId] : [])),
  )
  const last = step.at(-1)?.seq ?? 0
  const later = laterResults(events.slice(from), { calls, ended, callId, through })
  const endsLater = new Set(later.map((each) => each.callId))
  const kept = new Set([...ended, ...endsLater, callId])
  const before = until.flatMap((each): RunEvent[] => {
    if (isHead(each)) return each.seq > last ? [] : [each === answer ? goingOn(answer) : each]
    const isInside = each.parent !== undefined && splitPath(each.parent)[0] === callId
    if (isInside || !isDialogue(each) || !belongs(each, kept)) return []
    // What it asked a person stays with its own run.
    if (isOwn(each) && isQuestion(each) && endsLater.has(each.callId)) return []
    // After the step, while the call was in the background, only what belongs to calls of the step.
    return each.seq <= last || isOfCall(each) ? [each] : []
  })
  return [...before, ...later.map((each) => ({ ...each, step: answer?.step ?? each.step }))]
}

/** The results, after the point of the fork, of other calls that had begun in the background by then. */
function laterResults(
  since: readonly RunEvent[],
  {
    calls,
    ended,
    callId,
    through,
  }: Pick<Call, 'callId' | 'through'> & Record<'calls' | 'ended', ReadonlySet<string>>,
): EventOf<'call.finished'>[] {
  const begun = new Set<string>()
  return since.flatMap((each) => {
    if (!isOwn(each)) return []
    if (each.type === 'call.started' && each.background !== undefined && each.seq <= through)
      begun.add(each.callId)
    const isOpen = isResult(each) && each.callId !== callId && !ended.has(each.callId)
    return isOpen && calls.has(each.callId) && begun.has(each.callId) ? [each] : []
  })
}

function isOfCall(event: RunEvent): boolean {
  return event.parent !== undefined || ('callId' in event && event.callId !== undefined)
}

/** Both lists in one, by the numbers of the events. */
function merged(own: readonly RunEvent[], inside: readonly RunEvent[]): RunEvent[] {
  const both: RunEvent[] = []
  let at = 0
  for (const each of inside) {
    for (let next = own[at]; next !== undefined && next.seq < each.seq; next = own[at]) {
      both.push(next)
      at += 1
    }
    both.push(each)
  }
  return [...both, ...own.slice(at)]
}

/**
 * Runs inside calls that go on in the fork know which of their events are copied, and that they work in the thread of
 * the fork. Their files stay where they are: in the folder that the run made in which they began.
 */
export function goingOnInside(
  taken: readonly RunEvent[],
  fork: {
    readonly runId: string
    readonly step: number
    readonly threadId: string | null
    readonly through: number
  },
): RunEvent[] {
  // A call that ends in another way, such as by its time limit, leaves the run inside it without an end.
  const ended = new Set(
    taken.flatMap((each) => {
      if (isResult(each))
        return [each.parent === undefined ? each.callId : joinPath(each.parent, each.callId)]
      return each.type === 'run.finished' && each.parent !== undefined ? [each.parent] : []
    }),
  )
  return taken.map((event) => {
    if (event.type !== 'run.started' || event.parent === undefined) return event
    return around(event.parent).some((path) => ended.has(path)) ? event : begunInside(event, fork)
  })
}

/** The path, and those of the calls around it. */
function around(path: string): string[] {
  const { parent } = placeOf(path)
  return parent === undefined ? [path] : [path, ...around(parent)]
}

function begunInside(
  event: EventOf<'run.started'>,
  { runId, step, threadId, through }: Parameters<typeof goingOnInside>[1],
): RunEvent {
  return {
    ...event,
    threadId,
    forkedFrom: {
      runId: event.forkedFrom?.runId ?? runId,
      step,
      copied: [{ through, ms: 0 }],
      startedAt: event.forkedFrom?.startedAt ?? event.at,
    },
  }
}
