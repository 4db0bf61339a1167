/** A run's events as tests write them: numbered, one second apart, and folded as the page folds them. */
import { fold, start } from '#lib/agent/state/fold'
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

export const begin: EventBody = {
  type: 'run.started',
  agent: { id: 'agent_1', name: 'retail-analyst', version: 'draft', configHash: 'h' },
  input: 'Which country brought the most revenue?',
  threadId: 'thread_1',
  historyThrough: null,
  model: { provider: 'scripted', name: 'demo' },
  protocol: { format: 'native', resultPlacement: 'tool_message' },
  tools: {
    offered: [
      { name: 'schema.list_tables', node: 'tools/0' },
      { name: 'sql.execute', node: 'tools/1' },
    ],
    withheld: [
      {
        name: 'shell.run',
        entry: 'tools/2',
        policy: 'skills',
        node: 'policies/0',
        reason: 'denied by skills',
      },
    ],
  },
}

export const stepStarted: EventBody = { type: 'step.started', maxSteps: 10 }
export const requested: EventBody = {
  type: 'model.requested',
  attempt: 1,
  counts: { messages: 1, tools: 2 },
  tools: [],
  bytes: 100,
  hash: 'h',
}
export const stepFinished: EventBody = {
  type: 'step.finished',
  usage: { input: 10, output: 2 },
  durationMs: 3_000,
}

export interface Asked {
  readonly id: string
  readonly name: string
  readonly args?: Record<string, string>
}

export function answered(said: { text?: string; reasoning?: string; calls?: readonly Asked[] }): EventBody {
  const { text, reasoning, calls = [] } = said
  return {
    type: 'model.answered',
    parts: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, args = {} }) => ({
        type: 'call' as const,
        id,
        name,
        rawArgs: JSON.stringify(args),
        args,
      })),
    ],
    usage: { input: 1_000, output: 204 },
    finishReason: calls.length > 0 ? 'calls' : 'stop',
    durationMs: 1_880,
    firstTokenMs: 400,
  }
}

export function callStarted({ id, name, args = {} }: Asked, node: string): EventBody {
  return { type: 'call.started', callId: id, name, args, source: 'builtin', node }
}

export function callFinished({ id, name }: Asked, node: string, more: Partial<Finished> = {}): EventBody {
  const { status = 'ok', text = 'done', code = null } = more
  return {
    type: 'call.finished',
    callId: id,
    name,
    node,
    status,
    code,
    result: { blocks: [{ type: 'text', text }], text },
    durationMs: 41,
    attempts: status === 'denied' ? 0 : 1,
  }
}

interface Finished {
  readonly status: 'ok' | 'error' | 'denied' | 'timeout'
  readonly text: string
  readonly code: string | null
}

export function runFinished(
  status: 'completed' | 'failed' | 'cancelled' | 'max_steps',
  answer: string | null,
): EventBody {
  return {
    type: 'run.finished',
    status,
    answer,
    usage: { input: 1_000, output: 204 },
    costUsd: null,
    steps: 1,
    toolCalls: [],
    startedAt: 1_000,
    finishedAt: 9_000,
    error: status === 'failed' ? { code: 'empty_response', message: 'The model said nothing.' } : null,
  }
}

export interface Recorded {
  readonly state: RunState
  /** Folds more events, each one second after the one before. */
  tell(...bodies: readonly EventBody[]): RunState
}

export function record(...bodies: readonly EventBody[]): Recorded {
  const state = start({
    agent: { id: 'agent_1', name: 'retail-analyst', version: 'draft', configHash: 'h' },
    input: 'Which country brought the most revenue?',
    threadId: 'thread_1',
    historyThrough: null,
    history: [],
  })
  let step = 0
  const tell = (...more: readonly EventBody[]) => {
    for (const body of more) {
      // Events of a run inside a call have its step.
      if (body.type === 'step.started' && !('parent' in body)) step += 1
      const seq = state.seq + 1
      fold(state, { step, ...body, seq, at: seq * 1_000 } as RunEvent) // cast: the loop adds these fields
    }
    return state
  }
  tell(...bodies)
  return { state, tell }
}
