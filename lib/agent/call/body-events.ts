/** Connects a body with the feed of what happens, and records what it reports. */
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Stop } from '../deps'
import type { Engine } from '../engine'
import type { Feed } from '../feed'
import { recallEvents } from '../recall'
import { isAskingAtWork } from '../state/waiting'
import { finishCall } from './finished'
import { finishWithHooks } from './hooks'
import { leaveToRun } from './inside'
import { isRedacted } from './originals'
import { askRound, closeInputs } from './questions'
import { fittedArgs, lostRefusal, type Refusal, secretLostRefusal, toolGoneRefusal } from './refuse'
import type { Happening, Placed, Ran, RunnableCall } from './running'
import { type Body, begin } from './tool-body'

/** How long a body may take to end after it was told to stop, in milliseconds. */
const graceMs = 500
/**
 * How long a drain waits for a body with an effect, which could not run again: most of the time the server
 * has.
 */
const effectGraceMs = 6_000
/** The run inside a body stops its own calls first, and those inside theirs. */
const innerGraceMs = 4 * graceMs

/** Begins a body whose progress, files and end go into the feed. */
export function beginBody(engine: Engine, feed: Feed<Happening>, placed: Placed): Body {
  const { call, tool } = placed
  return begin(engine, {
    ...placed,
    waits: (wait) => feed.piece({ type: 'call.progressed', callId: call.id, wait }),
    progress: (update) => feed.piece({ type: 'call.progressed', callId: call.id, ...update }),
    inner: (event, recorded) => feed.push({ type: 'inner', callId: call.id, event, recorded }),
    ask: (question, reply) => feed.push({ type: 'asked', call, tool, question, reply }),
    plan: (change, settle) => feed.push({ type: 'plan', callId: call.id, change, settle }),
    completed: (event, recorded) => feed.push({ type: 'completed', event, recorded }),
    created: (artifact) => feed.push({ type: 'artifact.created', callId: call.id, artifact }),
    done: (outcome) => feed.push({ type: 'done', call, tool, outcome }),
  })
}

/**
 * Records the end of a body: its questions to a person, or the groups it switched, the tools it found, what
 * hooks say of its result, and the result.
 */
export async function* finishBody(engine: Engine, ran: Ran): AsyncGenerator<RunEvent, void> {
  const { call, outcome } = ran
  const { ended } = outcome
  yield* closeInputs(engine, call)
  if (ended.status === 'asks') return yield* askRound(engine, ran, ended)
  if (ended.status === 'rests') return yield engine.emit({ type: 'call.rested', callId: call.id })
  if (ended.status === 'ok' && ended.groups !== undefined)
    yield engine.emit({ type: 'groups.changed', active: [...ended.groups], callId: call.id })
  if (ended.status === 'ok' && ended.found !== undefined && ended.found.length > 0)
    yield engine.emit({ type: 'tools.found', names: [...ended.found], callId: call.id })
  if (ended.status === 'ok') for (const body of recallEvents(engine, ran)) yield engine.emit(body)
  yield* finishWithHooks(engine, call, await finishCall(engine, ran, ended))
}

/**
 * Tells bodies to stop. On a drain, a body with an effect may end by itself within its grace period. Bodies
 * that can run again, or that wait for a person, are aborted at once.
 * @returns how long to wait for them, in milliseconds
 */
export function stopBodies(bodies: Iterable<Body>, reason: Stop): number {
  let grace = graceMs
  for (const body of bodies) {
    const { tool, call } = body
    if (tool.resumable) {
      body.abort(reason)
      grace = Math.max(grace, reason === 'drain' ? effectGraceMs : innerGraceMs)
      continue
    }
    const mayEnd = reason === 'drain' && tool.effect === 'effect' && !isAskingAtWork(call)
    if (!mayEnd) body.abort(reason)
    else grace = Math.max(grace, effectGraceMs)
  }
  return grace
}

/** Whether the body of a call has left answers of people unheard, which then wait for the run to record them. */
export function passOn(engine: Engine, { call, outcome }: Ran): boolean {
  return outcome.people !== undefined && leaveToRun(engine, call.id, outcome.people)
}

/** A call whose body has ended with questions runs again, since all of them have replies. */
export function continuable(engine: Engine, call: CallState): RunnableCall | Refusal {
  const tool = engine.tool(call.name)
  if (tool === undefined || call.args === undefined) return toolGoneRefusal(call)
  return withArgs(engine, call, { tool, args: call.args })
}

/** A call whose body had begun runs again, under its old `call.started`, if that can do no harm. */
export function repeatable(engine: Engine, call: CallState): RunnableCall | Refusal {
  const tool = engine.tool(call.name)
  const mayRepeat = tool !== undefined && (tool.effect !== 'effect' || tool.resumable)
  if (!mayRepeat || call.args === undefined) return lostRefusal(call)
  return withArgs(engine, call, { tool, args: call.args })
}

function withArgs(
  engine: Engine,
  call: CallState,
  { tool, args }: { readonly tool: BoundTool; readonly args: JsonObject },
): RunnableCall | Refusal {
  if (!isRedacted(call)) return { call, tool, args, shown: args }
  const fitted = fittedArgs(engine.deps, tool, call)
  return fitted === undefined ? secretLostRefusal(call, tool) : { call, tool, ...fitted }
}
