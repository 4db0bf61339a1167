/**
 * Runs one body: once, or again where that does no harm, until it ends, its time is over or it is aborted.
 */
import type { Artifact } from '#lib/spec/artifact'
import type { CallWait, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { Plan } from '#lib/spec/plan'
import type { CallState, RunState } from '#lib/spec/state'
import {
  type CallingRun,
  type GivenReplies,
  type InnerRun,
  maxNoteChars,
  type PlanChange,
  type PlanDesk,
  type ToolContext,
} from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Release } from '#lib/spec/turns'
import type { Engine } from '../engine'
import { LazyAbort, type Stopping } from '../later'
import { type Hider, hiderOf } from '../observation/hide'
import { type CleanOutput, cleanBlocks, cleanOutput, cut, messageOf } from '../observation/observe'
import { hidden } from '../recall'
import { hiddenTools } from '../request/discovery'
import { answeredOf } from '../state/input-fold'
import { planBook } from '../state/plan-fold'
import { AtWork } from './at-work'
import { completer } from './completions'
import { whyNotAsked } from './question-rules'
import type { BodyOutcome, CompletionBody, Ended } from './running'

export interface Body {
  readonly call: CallState
  readonly tool: BoundTool
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
  void tryAll(engine, beginning, { stop: working, atWork }).then((done) => {
    const { workedMs, waitedMs } = atWork
    atWork.end()
    beginning.done({ ...done, durationMs: whole(workedMs), waitedMs: whole(beginning.waitedMs + waitedMs) })
  })
  return {
    call: beginning.call,
    tool: beginning.tool,
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

/** Asks the questions with which a body ended while the call goes on. */
async function replies(
  beginning: Beginning,
  { stop, atWork }: Doing,
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
  { stop, atWork }: Doing,
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
function tryOnce(engine: Engine, beginning: Beginning, { stop, atWork, answered }: Try): Promise<Ended> {
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
    const context = contextOf(engine, beginning, { working, over, hider, atWork, answered })
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
function isCutShort(ended: Exclude<Ended, { status: 'ok' | 'asks' }>): boolean {
  return ended.brokeOff || ended.status === 'timeout' || ended.code === 'timeout'
}

interface Trying {
  /** Aborted when the body must stop. */
  readonly working: LazyAbort
  /** Aborted when the body's further output is ignored. */
  readonly over: Stopping
  readonly hider: Hider
  readonly atWork: AtWork
  readonly answered: GivenReplies | undefined
}

function contextOf(
  engine: Engine,
  beginning: Beginning,
  { working, over, hider, atWork, answered }: Trying,
): ToolContext {
  const { deps, state, timeOfDay } = engine
  const { call, created } = beginning
  return {
    callId: call.id,
    run: callingRun(state, deps.runId),
    resultOf: (id) => state.calls.get(id)?.result?.text,
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
      if (!over.aborted) created(artifact)
    },
    ask: (question) => {
      return over.aborted ? Promise.resolve(stopped) : reply(beginning, { stop: working, atWork }, question)
    },
    ...(answered && { answered }),
    complete: completer(engine, beginning, { working, over, hider }),
    inner: innerRun(engine, beginning, over),
    plan: planDesk(engine, beginning, over),
    ports: deps.ports,
  }
}

function innerRun({ committed }: Engine, { call, inner }: Beginning, over: Stopping): InnerRun {
  let recorded = Promise.resolve()
  return {
    state: () => structuredClone(call.inner),
    record(event) {
      if (!over.aborted) recorded = new Promise((resolve) => inner(event, resolve))
    },
    async committed() {
      await recorded
      await committed()
    },
  }
}

function planDesk({ state }: Engine, { plan }: Beginning, over: Stopping): PlanDesk {
  return {
    read: () => planBook(state),
    change: (change) =>
      new Promise((resolve) => {
        if (!over.aborted) plan(change, resolve)
      }),
  }
}

function callingRun({ start, steps }: RunState, id: string | undefined): CallingRun {
  const { agent, threadId } = start
  return {
    id: id ?? null,
    agent: { id: agent.id, name: agent.name },
    thread: threadId,
    step: steps.at(-1)?.number ?? 0,
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
