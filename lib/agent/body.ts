/** One body at work: begun once, ended by itself, by its time limit, or by an abort. */
import type { CallStatus } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Engine, since } from './engine'
import { cleanBlocks, cleanOutput, messageOf, type Observation, observe, observeError } from './observe'

export interface Outcome {
  readonly status: Extract<CallStatus, 'ok' | 'error' | 'timeout'>
  readonly code: string | null
  readonly result: Observation
  readonly durationMs: number
}

export interface Body {
  readonly tool: BoundTool
  abort(reason: string): void
}

export interface Beginning {
  readonly call: CallState
  readonly tool: BoundTool
  readonly args: JsonObject
  /** Text appends, blocks replace. */
  progress(update: { text: string } | { blocks: Block[] }): void
  /** Called once, unless the body ignores its abort. */
  done(outcome: Outcome): void
}

/** Begins the body at once. However it behaves, nothing escapes it: the outcome comes by `done`. */
export function begin(engine: Engine, { call, tool, args, progress, done }: Beginning): Body {
  const { deps } = engine
  const { maxChars, timeoutSeconds: cap } = engine.toolLimits(tool)
  const seconds = Math.min(tool.timeoutSeconds, cap)
  const startedAt = deps.clock.monotonic()
  const working = new AbortController()
  const finished = new AbortController()
  const end = (outcome: Omit<Outcome, 'durationMs'>) => {
    if (finished.signal.aborted) return
    finished.abort('finished')
    done({ ...outcome, durationMs: since(deps, startedAt) })
  }
  const context = {
    callId: call.id,
    signal: working.signal,
    now: () => deps.clock.now(),
    progress(update: string | readonly Block[]) {
      if (finished.signal.aborted) return
      if (typeof update === 'string') return progress({ text: update })
      const blocks = cleanBlocks(update)
      if (blocks !== undefined) progress({ blocks })
    },
    ports: deps.ports,
  }
  void work(() => tool.run(args, context), maxChars).then(end)
  void timeOut(engine, seconds, finished.signal).then((isOver) => {
    if (!isOver) return
    working.abort('timeout')
    const message = `${tool.name} was stopped after ${seconds} seconds, its time limit.`
    end({ status: 'timeout', code: 'timeout', result: observeError(message, maxChars) })
  })
  return { tool, abort: (reason) => working.abort(reason) }
}

async function work(
  run: () => ReturnType<BoundTool['run']>,
  maxChars: number,
): Promise<Omit<Outcome, 'durationMs'>> {
  try {
    const output = cleanOutput(await run())
    if (output.ok) return { status: 'ok', code: null, result: observe(output.blocks, maxChars) }
    return { status: 'error', code: output.code, result: observeError(output.message, maxChars) }
  } catch (thrown) {
    return { status: 'error', code: 'tool_failed', result: observeError(messageOf(thrown), maxChars) }
  }
}

/** False when the body ended first. */
async function timeOut({ deps }: Engine, seconds: number, finished: AbortSignal): Promise<boolean> {
  try {
    await deps.clock.sleep(seconds * 1_000, finished)
  } catch {
    return false
  }
  return !finished.aborted
}
