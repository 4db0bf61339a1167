/**
 * Runs one body: once, or again where that does no harm, until it ends, its time is over or it is aborted.
 */
import type { Artifact } from '#lib/spec/artifact'
import type { CallWait, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { CallState, RunState } from '#lib/spec/state'
import { type CallingRun, type InnerRun, maxNoteChars, type ToolContext } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Release } from '#lib/spec/turns'
import type { Engine } from '../engine'
import { LazyAbort, type Stopping } from '../later'
import { type Hider, hiderOf } from '../observation/hide'
import { cleanBlocks, cleanOutput, cut, messageOf } from '../observation/observe'
import { hiddenTools } from '../request/discovery'
import { AtWork } from './at-work'
import type { BodyOutcome, Ended } from './running'

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

async function tryAll(
  engine: Engine,
  beginning: Beginning,
  doing: Doing,
): Promise<Pick<BodyOutcome, 'ended' | 'tries'>> {
  const { deps } = engine
  const { stop, atWork } = doing
  const waits = waitsOf(engine, beginning.tool)
  for (let tries = 1; ; tries++) {
    const ended = await tryOnce(engine, beginning, doing)
    const waitMs = waits[tries - 1]
    if (waitMs === undefined || stop.aborted || ended.status === 'ok' || !ended.mayPass)
      return { ended, tries }
    beginning.progress({ text: again(ended.message, { tries: tries + 1, of: waits.length + 1, waitMs }) })
    try {
      await atWork.rest(() => deps.clock.sleep(waitMs, stop.signal))
    } catch {
      return { ended, tries }
    }
    if (stop.aborted) return { ended, tries }
  }
}

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
function tryOnce(engine: Engine, beginning: Beginning, { stop, atWork }: Doing): Promise<Ended> {
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
      hider.end(ended.status === 'ok' || !(working.aborted || isCutShort(ended)))
      resolve(ended)
    }
    const context = contextOf(engine, beginning, { working, over, hider, atWork })
    // The time begins before the body, which may end at once.
    const stopClock = atWork.onceWorked(seconds, () => {
      working.abort('timeout')
      const message = `${tool.name} was stopped after ${seconds} seconds, its time limit.`
      end({ status: 'timeout', code: 'timeout', message, mayPass: true, brokeOff: true })
    })
    void work(hider, tool, over, () => tool.run(args, context)).then((ended) => ended && end(ended))
  })
}

/** Whether the body did not end by itself, as reported by the engine, by the body or by what it threw. */
function isCutShort(ended: Exclude<Ended, { status: 'ok' }>): boolean {
  return ended.brokeOff || ended.status === 'timeout' || ended.code === 'timeout'
}

interface Trying {
  /** Aborted when the body must stop. */
  readonly working: LazyAbort
  /** Aborted when the body's further output is ignored. */
  readonly over: Stopping
  readonly hider: Hider
  readonly atWork: AtWork
}

function contextOf(
  engine: Engine,
  beginning: Beginning,
  { working, over, hider, atWork }: Trying,
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
    inner: innerRun(engine, beginning, over),
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
  hider: Hider,
  { name }: BoundTool,
  over: Stopping,
  run: () => ReturnType<BoundTool['run']>,
): Promise<Ended | undefined> {
  try {
    const given = await run()
    if (over.aborted) return undefined
    const output = cleanOutput(given)
    const told = {
      ...(output.metadata && { metadata: hider.json(output.metadata) }),
      // Secrets are taken out of the whole note: a cut could leave half of one.
      ...(output.note !== undefined && { note: cut(hider.text(output.note), maxNoteChars) }),
    }
    if (output.ok) {
      const { blocks, groups, found } = output
      const switched = { ...(groups && { groups }), ...(found && { found }) }
      return { status: 'ok', code: null, blocks: hider.blocks(blocks), ...switched, ...told }
    }
    const { code, message, retryable = false } = output
    return {
      status: 'error',
      code,
      message: hider.text(message),
      mayPass: retryable,
      brokeOff: false,
      ...told,
    }
  } catch (thrown) {
    if (over.aborted) return undefined
    const message = messageOf(thrown, name, hider.text)
    return { status: 'error', code: 'tool_failed', message, mayPass: false, brokeOff: true }
  }
}
