/** A stored run as the API shows it. */

import type { RunError } from '#lib/spec/event'
import type { Pending } from '#lib/spec/pending'
import type { RunRow, RunSummaryRow } from '#lib/spec/store'
import type { Branch, RunSummary, RunView, SteeredWords } from '#lib/wire/runs'

/** `fallen` is the error of a run that stopped and whose end is not stored yet. */
export function toSummary(row: RunSummaryRow, fallen?: RunError): RunSummary {
  return {
    id: row.id,
    agentId: row.agentId,
    agent: row.agent,
    threadId: row.threadId,
    status: fallen === undefined ? row.status : 'interrupted',
    input: row.input,
    answer: row.answer,
    output: row.output === null ? null : JSON.parse(row.output),
    error: fallen ?? row.error,
    usage: row.usage,
    costUsd: row.costUsd,
    steps: row.steps,
    toolCalls: [...row.toolCalls],
    pending: row.pending.map(toPending),
    replaces: row.replaces,
    ...(row.files !== undefined && { files: [...row.files] }),
    forkedFrom: row.forkedFrom,
    ...(row.mocked && { mocked: [...row.mocked] }),
    ...(row.behind && { behind: true }),
    ...(row.feedback && { feedback: row.feedback }),
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    seq: row.seq,
  }
}

function toPending(asked: Pending): RunSummary['pending'][number] {
  if (asked.kind === 'input') return asked
  const { onTimeout: _, ...approval } = asked
  return approval
}

export function toView(
  row: RunRow,
  {
    artifacts,
    steered,
    fallen,
    ahead,
  }: Pick<RunView, 'artifacts'> & {
    steered: readonly SteeredWords[]
    fallen: RunError | undefined
    ahead?: number | undefined
  },
): RunView {
  return {
    ...toSummary(row, fallen),
    config: JSON.parse(row.config),
    origins: { ...row.origins },
    artifacts,
    ...(steered.length > 0 && { steered: [...steered] }),
    ...(row.status === 'queued' && ahead !== undefined && { ahead }),
  }
}

/** A run in a tree of forks. */
export function toBranch(row: RunSummaryRow, fallen?: RunError): Branch {
  const { id, threadId, status, input, answer, forkedFrom, startedAt } = toSummary(row, fallen)
  return { id, threadId, status, input, answer, forkedFrom, startedAt, createdAt: row.createdAt }
}
