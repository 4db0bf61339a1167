/** One body at work: begun once, tried again where that can do no harm, ended by itself, by its time limit, or by an abort. */
import type { Artifact } from '#lib/spec/artifact'
import type { CallStatus } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { CallState } from '#lib/spec/state'
import type { ToolContext, WithMetadata } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Engine, since } from './engine'
import { type Hider, hiderOf } from './hide'
import { cleanBlocks, cleanOutput, messageOf } from './observe'

/** How a body, or one try of it, ended. */
export type Ended = WithMetadata &
  (
    | { readonly status: 'ok'; readonly code: null; readonly blocks: Block[] }
    | {
        readonly status: Extract<CallStatus, 'error' | 'timeout'>
        readonly code: string | null
        readonly message: string
        /** The same call may do better later. */
        readonly mayPass: boolean
        /** It ended in the middle: what it has shown until then is all there is. */
        readonly brokeOff: boolean
      }
  )

export interface Outcome {
  readonly ended: Ended
  readonly tries: number
  readonly durationMs: number
}

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
  /** Text appends, blocks replace. */
  progress(update: { text: string } | { blocks: Block[] }): void
  created(artifact: Artifact): void
  /** Called once. */
  done(outcome: Outcome): void
}

/** Begins the body at once. However it behaves, nothing escapes it: the outcome comes by `done`. */
export function begin(engine: Engine, beginning: Beginning): Body {
  const { deps } = engine
  const startedAt = deps.clock.monotonic()
  const working = new AbortController()
  void tryAll(engine, beginning, working.signal).then((done) =>
    beginning.done({ ...done, durationMs: since(deps, startedAt) }),
  )
  return {
    call: beginning.call,
    tool: beginning.tool,
    get isAborted() {
      return working.signal.aborted
    },
    abort: (reason) => working.abort(reason),
  }
}

async function tryAll(
  engine: Engine,
  beginning: Beginning,
  signal: AbortSignal,
): Promise<Omit<Outcome, 'durationMs'>> {
  const { deps } = engine
  const waits = waitsOf(engine, beginning.tool)
  for (let tries = 1; ; tries++) {
    const ended = await tryOnce(engine, beginning, signal)
    const waitMs = waits[tries - 1]
    if (waitMs === undefined || signal.aborted || ended.status === 'ok' || !ended.mayPass)
      return { ended, tries }
    beginning.progress({ text: again(ended.message, { tries: tries + 1, of: waits.length + 1, waitMs }) })
    try {
      await deps.clock.sleep(waitMs, signal)
    } catch {
      return { ended, tries }
    }
    if (signal.aborted) return { ended, tries }
  }
}

/** The waits before further tries, in milliseconds; none for a body that may have done something already. */
function waitsOf(engine: Engine, tool: BoundTool): number[] {
  if (tool.effect === 'effect') return []
  return engine
    .toolLimits(tool)
    .retries.flatMap(({ max, backoffMs }) =>
      Array.from({ length: max }, (_, index) => backoffMs * 2 ** index),
    )
}

function again(
  message: string,
  { tries, of, waitMs }: { tries: number; of: number; waitMs: number },
): string {
  return `${message}\nTry ${tries} of ${of} in ${waitMs / 1_000} s.\n`
}

/** One try under a time limit of its own; never rejects, and a body that ignores its abort is left behind. */
function tryOnce(engine: Engine, beginning: Beginning, signal: AbortSignal): Promise<Ended> {
  const { tool, args } = beginning
  const seconds = Math.min(tool.timeoutSeconds, engine.toolLimits(tool).timeoutSeconds)
  const working = new AbortController()
  const over = new AbortController()
  const hider = hiderOf(engine, tool, beginning.progress)
  const stop = () => working.abort(signal.reason)
  signal.addEventListener('abort', stop)
  return new Promise((resolve) => {
    const end = (ended: Ended) => {
      if (over.signal.aborted) return
      over.abort('over')
      hider.end(ended.status === 'ok' || !(working.signal.aborted || isCutShort(ended)))
      signal.removeEventListener('abort', stop)
      resolve(ended)
    }
    const context = contextOf(engine, beginning, { working: working.signal, over: over.signal, hider })
    void work(hider, tool, over.signal, () => tool.run(args, context)).then((ended) => ended && end(ended))
    void isOverIn(engine, seconds, over.signal).then((isOver) => {
      if (!isOver) return
      working.abort('timeout')
      const message = `${tool.name} was stopped after ${seconds} seconds, its time limit.`
      end({ status: 'timeout', code: 'timeout', message, mayPass: true, brokeOff: true })
    })
  })
}

/** It did not come to its own end, whoever says so: the engine, the body itself, or what it threw. */
function isCutShort(ended: Exclude<Ended, { status: 'ok' }>): boolean {
  return ended.brokeOff || ended.status === 'timeout' || ended.code === 'timeout'
}

interface Trying {
  /** Tells the body to stop. */
  readonly working: AbortSignal
  /** What the body does from here on is not heard. */
  readonly over: AbortSignal
  readonly hider: Hider
}

function contextOf(
  { deps }: Engine,
  { call, created }: Beginning,
  { working, over, hider }: Trying,
): ToolContext {
  return {
    callId: call.id,
    signal: working,
    now: () => deps.clock.now(),
    progress(update) {
      if (over.aborted) return
      const shown = typeof update === 'string' ? update : cleanBlocks(update)
      if (shown !== undefined) hider.show(shown)
    },
    created(artifact) {
      if (!over.aborted) created(artifact)
    },
    ports: deps.ports,
  }
}

/** Undefined when the try was over before its body came to an end: by then the server may have closed what reading it takes. */
async function work(
  hider: Hider,
  { name }: BoundTool,
  over: AbortSignal,
  run: () => ReturnType<BoundTool['run']>,
): Promise<Ended | undefined> {
  try {
    const given = await run()
    if (over.aborted) return undefined
    const output = cleanOutput(given)
    const told = output.metadata && { metadata: hider.json(output.metadata) }
    if (output.ok) return { status: 'ok', code: null, blocks: hider.blocks(output.blocks), ...told }
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

/** False when the body ended first. */
async function isOverIn({ deps }: Engine, seconds: number, ended: AbortSignal): Promise<boolean> {
  try {
    await deps.clock.sleep(seconds * 1_000, ended)
  } catch {
    return false
  }
  return !ended.aborted
}
