/** Computes a run's row as a projection of its events, so that lists show figures without reading events. */
import type { EventOf, RunEvent, RunStatus } from '#lib/spec/event'
import { questionIn } from '#lib/spec/input'
import type { Pending } from '#lib/spec/pending'
import type { RunRow } from '#lib/spec/store'

export const unfinishedStatuses: ReadonlySet<RunStatus> = new Set(['queued', 'running', 'waiting'])

/** The columns that events change. */
export type RunFigures = Pick<
  RunRow,
  | 'status'
  | 'answer'
  | 'output'
  | 'error'
  | 'usage'
  | 'costUsd'
  | 'steps'
  | 'toolCalls'
  | 'drained'
  | 'pending'
  | 'startedAt'
  | 'finishedAt'
>

/** Whether `project` may change anything for an event of this type. */
export function movesRow(type: RunEvent['type']): boolean {
  return moving.has(type)
}

const moving: ReadonlySet<RunEvent['type']> = new Set([
  'run.started',
  'run.resumed',
  'step.started',
  'approval.requested',
  'approval.decided',
  'input.requested',
  'input.given',
  'call.started',
  'call.finished',
  'step.finished',
  'run.finished',
])

/** The figures after `event`. Of a sub-agent's run only the usage counts for the run that it belongs to. */
export function project(figures: RunFigures, event: RunEvent): RunFigures {
  if (event.type === 'step.finished') {
    const { usage } = event
    const total = { input: figures.usage.input + usage.input, output: figures.usage.output + usage.output }
    return {
      ...figures,
      usage: {
        ...total,
        ...optional(figures, event, 'reasoning'),
        ...optional(figures, event, 'cached'),
        ...optional(figures, event, 'cacheWritten'),
      },
    }
  }
  if (event.parent !== undefined) return inside(figures, event, event.parent)
  switch (event.type) {
    case 'run.started':
      return { ...figures, status: 'running', startedAt: event.at, drained: false }
    case 'run.resumed':
      return { ...figures, status: 'running', drained: false }
    // The closing answer comes after the last step and does not count as one: its number is above the limit.
    case 'step.started':
      return { ...figures, steps: Math.min(event.step, event.maxSteps) }
    case 'approval.requested': {
      const { callId, tool, args, expiresAt, onTimeout = 'reject' } = event
      const asked = { callId, kind: 'approval', tool, args, expiresAt, onTimeout } as const
      return { ...figures, status: 'waiting', pending: [...figures.pending, asked] }
    }
    case 'approval.decided':
      return withoutPending(figures, ({ kind, callId }) => kind === 'approval' && callId === event.callId)
    case 'input.requested': {
      if (event.refused !== undefined) return figures
      const input = questionIn(event)
      const { callId, tool, expiresAt = null } = event
      const asked = { callId, kind: 'input', tool, args: {}, expiresAt, input } as const
      return { ...figures, status: 'waiting', pending: [...figures.pending, asked] }
    }
    case 'input.given':
      return withoutPending(
        figures,
        (each) =>
          each.kind === 'input' && each.callId === event.callId && each.input.inputId === event.inputId,
      )
    // What runs inside the call still asked is asked no more.
    case 'call.finished':
      return withoutPending(figures, ({ callId }) => callId.startsWith(`${event.callId}/`))
    case 'call.started':
      return { ...figures, toolCalls: countCall(figures.toolCalls, event) }
    case 'run.finished': {
      const { status, answer, output, error, usage, costUsd, steps, toolCalls, startedAt, finishedAt } = event
      return {
        ...figures,
        status,
        answer,
        output: output === undefined ? null : JSON.stringify(output),
        error,
        usage,
        costUsd,
        steps,
        toolCalls,
        startedAt,
        finishedAt,
        pending: [],
      }
    }
    // A list of runs shows nothing of these.
    case 'run.queued':
    case 'run.steered':
    case 'run.summarizing':
    case 'model.requested':
    case 'model.retried':
    case 'model.answered':
    case 'protocol.warned':
    case 'context.truncated':
    case 'context.compacted':
    case 'reasoning.delta':
    case 'text.delta':
    case 'call.delta':
    case 'call.sealed':
    case 'call.progressed':
    case 'call.continued':
    case 'call.rested':
    case 'policy.ruled':
    case 'hook.called':
    case 'personas.assigned':
    case 'completion.finished':
    case 'artifact.created':
    case 'plan.updated':
    case 'memory.retrieved':
    case 'memory.recorded':
    case 'knowledge.retrieved':
    case 'groups.changed':
    case 'tools.found':
    case 'tools.changed':
      return figures
  }
  return event satisfies never
}

/** The run waits for what a run inside one of its calls asks people; the call's id then begins with those around it. */
function inside(figures: RunFigures, event: RunEvent, parent: string): RunFigures {
  switch (event.type) {
    case 'approval.requested':
    case 'approval.decided':
    case 'input.requested':
    case 'input.given': {
      const { parent: _, ...own } = event
      return project(figures, { ...own, callId: `${parent}/${event.callId}` })
    }
    case 'call.finished': {
      // It may have ended without the replies that it waited for.
      const id = `${parent}/${event.callId}`
      return withoutPending(figures, ({ callId }) => callId === id || callId.startsWith(`${id}/`))
    }
    default:
      // All else that happens inside shows in no list.
      return figures
  }
}

/** The last decision or reply ends the waiting. */
function withoutPending(figures: RunFigures, isOver: (each: Pending) => boolean): RunFigures {
  const pending = figures.pending.filter((each) => !isOver(each))
  if (pending.length === figures.pending.length) return figures
  const status = pending.length === 0 && figures.status === 'waiting' ? 'running' : figures.status
  return { ...figures, pending, status }
}

function optional(
  figures: RunFigures,
  event: Extract<RunEvent, { type: 'step.finished' }>,
  key: 'reasoning' | 'cached' | 'cacheWritten',
) {
  const before = figures.usage[key]
  const more = event.usage[key]
  return before === undefined && more === undefined ? {} : { [key]: (before ?? 0) + (more ?? 0) }
}

function countCall(
  counts: RunFigures['toolCalls'],
  { name, scopeName }: EventOf<'call.started'>,
): RunFigures['toolCalls'] {
  if (!counts.some((each) => each.name === name))
    return [...counts, { name, count: 1, ...(scopeName !== undefined && { scopeName }) }]
  return counts.map((each) => (each.name === name ? { ...each, count: each.count + 1 } : each))
}
