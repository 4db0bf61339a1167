/**
 * Creates a run that continues from a step of another one, with its own thread and a copy of the workspace.
 */
import { storeFault } from '#db/fault'
import { namesOf } from '#lib/agent/engine'
import { fitArgs } from '#lib/agent/fit/args'
import { type GivenEdit, keepForFork } from '#lib/agent/fork/fork'
import { firstEvents } from '#lib/agent/fork/fork-events'
import { limitsOf } from '#lib/agent/limits'
import { AppError } from '#lib/spec/errors'
import type { ForkPoint, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { callsOf } from '#lib/spec/message'
import type { RunRow, ThreadRow } from '#lib/spec/store'
import type { ForkRun } from '#lib/wire/runs'
import type { Assembled } from '../agents/assemble'
import { newId, titleOf } from './run-create'
import { earlierIn } from './run-earlier'
import { historyOf } from './run-history'
import type { RunsContext } from './runs-context'

interface ForkContext extends Pick<RunsContext, 'stores' | 'engine' | 'assemble' | 'workspaces' | 'clock'> {
  /** Checked again after the files are copied, which may take a while. */
  refuseWhenFull(): void
}

/**
 * Stores the fork with everything it takes over in one transaction. The parent run is only read. Throws an
 * AppError when the run cannot be forked at this step or with this edit.
 */
export async function storeFork(context: ForkContext, parent: RunRow, request: ForkRun): Promise<RunRow> {
  const { stores, engine, workspaces, clock } = context
  const events = stores.runs.settledEvents(parent.id)
  const started = events.find((each) => each.type === 'run.started')
  if (started === undefined) {
    const why = parent.startedAt === null ? 'has not begun' : 'is no longer on record'
    throw new AppError('unprocessable', `There is nothing to continue from: the run ${why}.`, {
      path: 'step',
    })
  }
  const kept = keepForFork(events, request)
  if (!kept.ok) throw new AppError(kept.error.code, kept.error.message, { path: kept.error.path })
  const assembled = await context.assemble(parent.config)
  if (!assembled.ok) {
    const detail = { diagnostics: assembled.error }
    throw new AppError('unprocessable', 'A part that this run used is no longer on this server.', detail)
  }
  const taken = underOwnNames(assembled.value, kept.value)
  checkArgs(assembled.value, taken, request.edit)
  const limits = limitsOf(assembled.value.policies).history
  const history = historyOf(engine, stores.runs, { row: parent, limits })

  const threadId = newId('thread')
  await workspaces.copy(parent.threadId, threadId)
  try {
    context.refuseWhenFull()
    const row = rowOf(parent, { request, threadId, at: clock.now(), taken })
    const { agent, input, historyThrough, forkedFrom, files } = row
    const begin = { agent, input, threadId, historyThrough, forkedFrom, at: row.createdAt }
    // The fork gets a copy of the thread's workspace as it is now, whatever the step it continues from.
    const earlier = earlierIn(stores, parent.threadId)
    const first = firstEvents({ ...begin, earlier, ...(files && { files: [...files] }) }, started, taken)
    stores.runs.insertFork(row, {
      events: first,
      thread: threadOf(row, stores.threads.get(parent.threadId)),
      history,
    })
    return { ...row, seq: first.length }
  } catch (error) {
    await workspaces.remove(threadId)
    if (storeFault(error) === undefined) throw error
    throw new AppError(
      'unavailable',
      'Nothing can be stored just now: the disk is full, locked or not writable.',
    )
  }
}

/** In a reply that a person wrote, a tool may appear under one of its other names, as in a model's reply. */
function underOwnNames({ tools }: Assembled, taken: readonly RunEvent[]): readonly RunEvent[] {
  const last = taken.at(-1)
  if (last?.type !== 'model.answered' || last.edited !== 'all') return taken
  const known = namesOf(tools)
  const parts = last.parts.map((part) =>
    part.type === 'call' ? { ...part, name: known.get(part.name)?.name ?? part.name } : part,
  )
  return [...taken.slice(0, -1), { ...last, parts }]
}

/** Arguments that a person wrote must fit the tool just as a model's must. */
function checkArgs({ tools }: Assembled, taken: readonly RunEvent[], edit: ForkRun['edit']): void {
  if (edit === undefined || !('args' in edit)) return
  const answer = taken.findLast((each) => each.type === 'model.answered')
  const name = callsOf(answer?.parts ?? []).find(({ id }) => id === edit.callId)?.name
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) return
  const fit = fitArgs(tool, edit.args satisfies JsonObject)
  if ('invalid' in fit) throw new AppError('unprocessable', fit.invalid.message, { path: 'edit/args' })
}

interface Forking {
  readonly request: ForkRun
  readonly threadId: string
  readonly at: number
  readonly taken: readonly RunEvent[]
}

/** The row as the events taken over leave it; the fork's own usage and cost start at zero. */
function rowOf(
  parent: RunRow,
  { request, threadId, at, taken }: Forking,
): RunRow & { forkedFrom: ForkPoint } {
  const { edit } = request
  const hasBegun = taken.length > 0
  return {
    id: newId('run'),
    agentId: parent.agentId,
    threadId,
    agent: parent.agent,
    status: hasBegun ? 'running' : 'queued',
    input: edit !== undefined && 'prompt' in edit ? edit.prompt : parent.input,
    answer: null,
    output: null,
    error: null,
    usage: { input: 0, output: 0 },
    costUsd: null,
    steps: stepsIn(taken),
    toolCalls: [],
    pending: [],
    config: parent.config,
    origins: parent.origins,
    historyThrough: parent.historyThrough,
    drained: false,
    cancelling: false,
    createdAt: at,
    startedAt: hasBegun ? at : null,
    finishedAt: null,
    replaces: null,
    forkedFrom: pointOf(parent.id, request),
    forkRoot: parent.forkRoot ?? parent.id,
    ...(parent.files && { files: parent.files }),
    seq: 0,
  }
}

function pointOf(runId: string, { step, edit }: ForkRun): ForkPoint {
  if (edit === undefined) return { runId, step }
  return { runId, step, edit: kindOf(edit), ...('callId' in edit && { callId: edit.callId }) }
}

function kindOf(edit: GivenEdit): NonNullable<ForkPoint['edit']> {
  if ('prompt' in edit) return 'prompt'
  if ('reply' in edit) return 'reply'
  return 'args' in edit ? 'args' : 'result'
}

function stepsIn(taken: readonly RunEvent[]): number {
  const last = taken.findLast((each) => each.type === 'step.started' && each.parent === undefined)
  return last?.type === 'step.started' ? Math.min(last.step, last.maxSteps) : 0
}

/** The fork of a test is a test. */
function threadOf({ threadId, agentId, input, createdAt }: RunRow, of: ThreadRow | undefined): ThreadRow {
  const purpose = of?.purpose
  const thread = { id: threadId, agentId, title: titleOf(input), createdAt, updatedAt: createdAt }
  return { ...thread, ...(purpose && { purpose }) }
}
