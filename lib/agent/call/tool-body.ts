/**
 * Runs one body: once, or again where that does no harm, until it ends, its time is over or it is aborted.
 */
import type { Artifact } from '#lib/spec/artifact'
import type { CallWait, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { PeopleSaid } from '#lib/spec/people-said'
import type { Plan } from '#lib/spec/plan'
import type { CallState } from '#lib/spec/state'
import { type GivenReplies, maxNoteChars, type PlanChange, type ToolContext } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Release } from '#lib/spec/turns'
import type { Engine } from '../engine'
import { LazyAbort, type Stopping } from '../later'
import { type Hider, hiderOf } from '../observation/hide'
import { type CleanOutput, cleanBlocks, cleanOutput, cut, messageOf } from '../observation/observe'
import { hidden } from '../recall'
import { hiddenTools } from '../request/discovery'
import { answeredOf } from '../state/input-fold'
import { AtWork } from './at-work'
import { callingRun, innerRun, planDesk } from './body-desks'
import { completer } from './completions'
import { Decisions } from './decisions'
import { earlierResult } from './earlier-result'
import { whyNotAsked } from './question-rules'
import type { BodyOutcome, CompletionBody, Ended } from './running'

export interface Body {
  readonly call: CallState
  readonly tool: BoundTool
  /** What people say about the calls of the run inside it. */
  readonly people: PeopleSaid
  readonly isAborted: boolean
  abort(reason: string): void
}

export interface Beginning {
  readonly call: CallState
  readonly tool: BoundTool
  readonly args: JsonObject
  /** The call's place among all calls at work, given back when it ends. */
  readonly place: Release
  /** How long the call waited in line for that place. */
  readonly waitedMs: number
  /** Shows what the call waits for; null when it no longer waits. */
  waits(wait: CallWait | null): void
  /** `text` is appended, `blocks` replace earlier output. */
  progress(update: { text: string } | { blocks: Block[] }): void
  created(artifact: Artifact): void
  /** Asks a person. `reply` is called at most once. */
  ask(question: InputQuestion, reply: (given: InputReply) => void): void
  /** Changes the plan of the run; `settle` is called once the change is an event, or with why there is none. */
  plan(change: PlanChange, settle: (outcome: Plan | string) => void): void
  /** Records a question to a model; `recorded` is called once it is an event. */
  completed(event: CompletionBody, recorded: () => void): void
  /** Records an event of the run inside the call; `recorded` is called once it is an event of the outer run. */
  inner(event: RunEvent, recorded: () => void): void
  /** Called once. */
  done(outcome: BodyOutcome): void
}

/** Begins the body at once. It never throws, whatever the body does: the outcome comes through `done`. */
export function begin(engine: Engine, beginning: Beginning): Body {
  const { clock, places } = engine.deps
  const { place, waits: show } = beginning
  const atWork = new AtWork({ clock, places, place, show })
  const working = new LazyAbort()
  const people = new Decisions()
  void tryAll(engine, beginning, { stop: working, atWork, people }).then((done) => {
    const { workedMs, waitedMs } = atWork
    atWork.end()
    const waited = whole(beginning.waitedMs + waitedMs)
    beginning.done({ ...done, durationMs: whole(workedMs), waitedMs: waited, people })
  })
  return {
    call: beginning.call,
    tool: beginning.tool,
    people,
    get isAborted() {
      return working.aborted
    },
    abort: (reason) => {
      working.abort(reason)
      atWork.stop()
    },
  }
}

function whole(ms: number): number {
  return Math.max(0, Math.round(ms))
}

interface Doing {
  /** Aborted when the body must stop. */
  readonly stop: LazyAbort
  readonly atWork: AtWork
  readonly people: Decisions
}

interface Try extends Doing {
  /** The replies with which the body runs again. */
  readonly answered: GivenReplies | undefined
}

async function tryAll(
  engine: Engine,
  beginning: Beginning,
  doing: Doing,
): Promise<Pick<BodyOutcome, 'ended' | 'tries'>> {
  const { deps } = engine
  const { stop, atWork } = doing
  const waits = waitsOf(engine, beginning.tool)
  let answered: GivenReplies | undefined = answeredOf(beginning.call)
  for (let tries = 1; ; tries++) {
    const ended = await tryOnce(engine, beginning, { ...doing, answered })
    if (ended.status === 'asks') {
      if (beginning.call.background === undefined || stop.aborted) return { ended, tries }
      // The step goes on without a call in the background, so the call itself waits for the replies.
      answered = await replies(beginning, doing, ended)
      if (stop.aborted) return { ended, tries }
      tries -= 1
      continue
    }
    if (ended.status === 'rests') {
      if (beginning.call.background === undefined || stop.aborted) return { ended, tries }
      engine.rested.add(beginning.call.id)
      await heardBy(doing)
      if (stop.aborted) return { ended, tries }
      tries -= 1
      continue
    }
    const usualMs = waits[tries - 1]
    if (usualMs === undefined || stop.aborted || ended.status === 'ok' || !ended.mayPass)
      return { ended, tries }
    const waitMs = Math.max(usualMs, Math.min(ended.retryAfterMs ?? 0, longestAskedMs))
    beginning.progress({ text: again(ended.message, { tries: tries + 1, of: waits.length + 1, waitMs }) })
    try {
      await atWork.rest(() => deps.clock.sleep(waitMs, stop.signal))
    } catch {
      return { ended, tries }
    }
    if (stop.aborted) return { ended, tries }
  }
}

/** Waits until a person has answered something that the run inside asked, or the call is stopped. */
function heardBy({ stop, atWork, people }: Doing): Promise<void> {
  const { signal } = stop
  return atWork.inLine('place', () => {
    return new Promise<void>((resolve) => {
      if (stop.aborted || !people.isEmpty) return resolve()
      const end = () => {
        unlisten()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const unlisten = people.listen(end)
      signal.addEventListener('abort', end)
    })
  })
}

/** Asks the questions with which a body ended while the call goes on. */
async function replies(
  beginning: Beginning,
  { stop, atWork }: Pick<Doing, 'stop' | 'atWork'>,
  { questions, state }: Extract<Ended, { status: 'asks' }>,
): Promise<GivenReplies> {
  const given = await Promise.all(
    questions.map(async (each) => [each.inputId, await reply(beginning, { stop, atWork }, each)] as const),
  )
  return { ...(state !== undefined && { state }), replies: Object.fromEntries(given) }
}

const stopped: InputReply = { action: 'cancel' }

/**
 * Waits for a person's reply without a place, and not in the call's own time. When the server stops there is none,
 * since the body must not go on as if the person had said something.
 */
function reply(
  { ask }: Pick<Beginning, 'ask'>,
  { stop, atWork }: Pick<Doing, 'stop' | 'atWork'>,
  question: InputQuestion,
): Promise<InputReply> {
  const { signal } = stop
  return atWork.inLine('place', () => {
    return new Promise<InputReply>((resolve) => {
      const leave = () => {
        if (signal.reason !== 'drain') resolve(stopped)
      }
      if (stop.aborted) return leave()
      signal.addEventListener('abort', leave)
      ask(question, (given) => {
        signal.removeEventListener('abort', leave)
        resolve(given)
      })
    })
  })
}

/** The longest wait that a server can ask for before the next try. */
const longestAskedMs = 60_000

/** The waits before further tries, in milliseconds; empty for a body that may already have had an effect. */
function waitsOf(engine: Engine, tool: BoundTool): number[] {
  if (tool.effect === 'effect') return []
  const retries = tool.retry === undefined ? engine.toolLimits(tool).retries : [tool.retry]
  return retries.flatMap(({ max, backoffMs }) =>
    Array.from({ length: max }, (_, index) => backoffMs * 2 ** index),
  )
}

function again(
  message: string,
  { tries, of, waitMs }: { tries: number; of: number; waitMs: number },
): string {
  return `${message}\nAttempt ${tries} of ${of} starts in ${waitMs / 1_000} s.\n`
}

/**
 * One try under its own time limit. It never rejects, and does not wait for a body that ignores its abort.
 */
function tryOnce(
  engine: Engine,
  beginning: Beginning,
  { stop, atWork, people, answered }: Try,
): Promise<Ended> {
  const { tool, args } = beginning
  const seconds = Math.min(tool.timeoutSeconds, engine.toolLimits(tool).timeoutSeconds)
  const working = stop.within()
  const over = { aborted: false }
  const hider = hiderOf(engine, tool, beginning.progress)
  return new Promise((resolve) => {
    const end = (ended: Ended) => {
      if (over.aborted) return
      over.aborted = true
      stopClock()
      hider.end(ended.status === 'ok' || ended.status === 'asks' || !(working.aborted || isCutShort(ended)))
      resolve(ended)
    }
    const context = contextOf(engine, beginning, { working, over, hider, atWork, people, answered })
    // The time begins before the body, which may end at once.
    const stopClock = atWork.onceWorked(seconds, () => {
      working.abort('timeout')
      const message = `${tool.name} was stopped after ${seconds} seconds, its time limit.`
      end({ status: 'timeout', code: 'timeout', message, mayPass: true, brokeOff: true })
    })
    const mocked = engine.mocks?.bodyOf(tool, beginning.call, () => working.signal)
    void work({ engine, beginning, hider, over }, mocked ?? (() => tool.run(args, context))).then(
      (ended) => ended && end(ended),
    )
  })
}

/** Whether the body did not end by itself, as reported by the engine, by the body or by what it threw. */
function isCutShort(ended: Ended): boolean {
  if (ended.status === 'ok' || ended.status === 'asks' || ended.status === 'rests') return false
  return ended.brokeOff || ended.status === 'timeout' || ended.code === 'timeout'
}

interface Trying {
  /** Aborted when the body must stop. */
  readonly working: LazyAbort
  /** Aborted when the body's further output is ignored. */
  readonly over: Stopping
  readonly hider: Hider
  readonly atWork: AtWork
  readonly people: Decisions
  readonly answered: GivenReplies | undefined
}

function contextOf(
  engine: Engine,
  beginning: Beginning,
  { working, over, hider, atWork, people, answered }: Trying,
): ToolContext {
  const { deps, state, timeOfDay } = engine
  const { call, created } = beginning
  return {
    callId: call.id,
    run: callingRun(state, deps.runId),
    resultOf: (id) => earlierResult(state.calls.get(id)),
    get hiddenTools() {
      return hiddenTools(engine.offering)
    },
    inLine: atWork.inLine,
    get signal() {
      return working.signal
    },
    now: timeOfDay,
    progress(update) {
      if (over.aborted) return
      const shown = typeof update === 'string' ? update : cleanBlocks(update)
      if (shown !== undefined) hider.show(shown)
    },
    created(artifact) {
      if (over.aborted) return
      const { description } = artifact
      created(description === undefined ? artifact : { ...artifact, description: hider.text(description) })
    },
    ask: (question) => {
      return over.aborted ? Promise.resolve(stopped) : reply(beginning, { stop: working, atWork }, question)
    },
    ...(answered && { answered }),
    complete: completer(engine, beginning, { working, over, hider }),
    inner: innerRun(engine, beginning, { over, atWork, people }),
    plan: planDesk(engine, beginning, over),
    ports: deps.ports,
  }
}

/** Undefined when the try ended before its body: the server may have closed what reading the result needs. */
async function work(
  {
    engine,
    beginning,
    hider,
    over,
  }: Pick<Trying, 'hider' | 'over'> & { readonly engine: Engine; readonly beginning: Beginning },
  run: () => ReturnType<BoundTool['run']>,
): Promise<Ended | undefined> {
  const { call, tool } = beginning
  try {
    const given = await run()
    if (over.aborted) return undefined
    const output = cleanOutput(given)
    if (output.ok === 'asks') {
      const why = whyNotAsked(engine.deps.redact, call, output)
      if (why === undefined) return { status: 'asks', code: null, ...asksOf(output) }
      return { status: 'error', code: 'not_asked', message: why, mayPass: false, brokeOff: false }
    }
    if (output.ok === 'rests') return { status: 'rests', code: null }
    const told = {
      ...(output.metadata && { metadata: hider.json(output.metadata) }),
      // Secrets are taken out of the whole note: a cut could leave half of one.
      ...(output.note !== undefined && { note: cut(hider.text(output.note), maxNoteChars) }),
    }
    if (output.ok) {
      const { blocks, groups, found, recall } = output
      const switched = {
        ...(groups && { groups }),
        ...(found && { found }),
        ...(recall && { recall: recall.map((each) => hidden(hider, each)) }),
      }
      return { status: 'ok', code: null, blocks: hider.blocks(blocks), ...switched, ...told }
    }
    const { code, message, retryable = false, retryAfterMs } = output
    return {
      status: 'error',
      code,
      message: hider.text(message),
      mayPass: retryable,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      brokeOff: false,
      ...told,
    }
  } catch (thrown) {
    if (over.aborted) return undefined
    const message = messageOf(thrown, tool.name, hider.text)
    return { status: 'error', code: 'tool_failed', message, mayPass: false, brokeOff: true }
  }
}

function asksOf({ questions, state }: Extract<CleanOutput, { ok: 'asks' }>) {
  return { questions, ...(state !== undefined && { state }) }
}
