/**
 * Creates a run that continues from a step of another one, with its own thread and a copy of the workspace.
 */
import { storeFault } from '#db/fault'
import { beginningOf } from '#lib/agent/beginning'
import { originalsInside } from '#lib/agent/call/inside'
import { nameOfCall, namesOf } from '#lib/agent/call/names'
import { hideInCall } from '#lib/agent/call/originals'
import { fitArgs } from '#lib/agent/fit/args'
import { type GivenEdit, keepForFork } from '#lib/agent/fork/fork'
import { firstEvents } from '#lib/agent/fork/fork-events'
import { keepForForkInside } from '#lib/agent/fork/fork-inside'
import { moveEntries } from '#lib/agent/fork/moved-entries'
import { limitsOf } from '#lib/agent/limits'
import { offerOf } from '#lib/agent/request/offering'
import { AppError } from '#lib/spec/errors'
import type { ForkChange, ForkPoint, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { callsOf } from '#lib/spec/message'
import type { NewRunRow, RunRow, ThreadRow } from '#lib/spec/store'
import type { ForkRun } from '#lib/wire/runs'
import type { Assembled } from '../agents/assemble'
import { agentsOfRun } from './run-agents'
import { applyOverrides, configOf } from './run-config'
import { newId, titleOf } from './run-create'
import { earlierIn } from './run-earlier'
import { agentInside, begunWith } from './run-fork-inside'
import { groupsIn } from './run-groups'
import { historyOf } from './run-history'
import { draftMocks, mocksOfRun } from './run-mocks'
import { planIn } from './run-plan'
import type { RunsContext } from './runs-context'

export interface ForkContext
  extends Pick<
    RunsContext,
    'stores' | 'engine' | 'assemble' | 'workspaces' | 'clock' | 'catalog' | 'parts' | 'originals'
  > {
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
  const edit = editOf(request)
  const at = { step: request.step, ...(edit && { edit }) }
  const { parent: path } = request
  const kept =
    path === undefined ? keepForFork(events, at) : keepForForkInside(events, { ...at, parent: path })
  if (!kept.ok) throw new AppError(kept.error.code, kept.error.message, { path: kept.error.path })
  const changes = changesIn(request)
  const inside =
    path === undefined ? undefined : agentInside(context, parent, { request, path, kept: kept.value })
  const config = inside === undefined ? forkConfig(context, parent, request) : ownConfig(parent)
  const assembled = await assembledFor(context, config.text, changes)
  // The agent whose step it is.
  const stepping =
    inside === undefined ? assembled : await assembledFor(context, inside.agent.config, changes)
  const placed =
    request.version === undefined ? kept.value : moveEntries(kept.value, configsOf(parent, config))
  const named = underOwnNames(stepping, placed)
  checkArgs(stepping, named, request.edit)
  const hidden = hideInEdited(stepping, named)
  const { originals } = hidden
  const taken =
    inside !== undefined && changes.length > 0
      ? begunWith(stepping, hidden.events, { path, agent: inside.agent.agent })
      : hidden.events
  const limits = limitsOf(assembled.policies).history
  const history = historyOf(engine, stores.runs, { row: parent, limits })

  // Those of the draft as they are now, or those that the parent had when it began.
  const agents =
    request.version === undefined
      ? (inside?.agents ?? stores.runs.agentsOf(parent.id))
      : agentsOfRun(stores.agents, { name: config.agent.name, config: config.text })
  const threadId = newId('thread')
  await workspaces.copy(parent.threadId, threadId)
  try {
    context.refuseWhenFull()
    const mocks =
      request.version === undefined ? mocksOfRun(stores, parent.id) : draftMocks(stores, parent.agentId)
    const row = { ...rowOf(parent, { request, config, threadId, at: clock.now(), taken }), ...mocks, agents }
    const { agent, input, historyThrough, forkedFrom, files } = row
    const begin = { agent, input, threadId, historyThrough, forkedFrom, at: row.createdAt }
    // The fork gets a copy of the thread's workspace as it is now, whatever the step it continues from.
    const earlier = earlierIn(stores, parent.threadId)
    const groups = groupsIn(events[0])
    const plan = planIn(events[0])
    const first = firstEvents(
      {
        ...begin,
        earlier,
        ...(groups && { groups }),
        ...(plan && { plan }),
        ...(files && { files: [...files] }),
        ...(row.mocked && { mocks: [...row.mocked] }),
      },
      started,
      taken,
      changes.length === 0 || inside !== undefined ? started : beginningOf(assembled, offerOf(assembled)),
    )
    stores.runs.insertFork(row, {
      events: first,
      thread: threadOf(row, stores.threads.get(parent.threadId)),
      history,
    })
    stores.artifacts.copyDescriptions(parent.threadId, threadId)
    const keep = originalsInside(context.originals?.(row.id), path)?.keep
    for (const [callId, args] of originals) keep?.(callId, 'model', args)
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

async function assembledFor(
  { assemble }: ForkContext,
  config: string,
  changes: readonly ForkChange[],
): Promise<Assembled> {
  const assembled = await assemble(config)
  if (assembled.ok) return assembled.value
  const message =
    changes.length === 0
      ? 'A part that this run used is no longer on this server.'
      : 'A part that the fork would use is not on this server.'
  throw new AppError('unprocessable', message, { diagnostics: assembled.error })
}

/** What a person changes; a fork changes one thing. */
function editOf({ edit, summary }: ForkRun): GivenEdit | undefined {
  if (summary === undefined) return edit
  if (edit !== undefined)
    throw new AppError('unprocessable', 'A fork changes either a summary or something else, not both.', {
      path: 'summary',
    })
  return { summary }
}

type ForkConfig = Pick<RunRow, 'origins' | 'agent'> & { readonly text: string }

function ownConfig({ config: text, origins, agent }: RunRow): ForkConfig {
  return { text, origins, agent }
}

/** The parent's config, or the agent's draft as it is now, with the overrides of the fork. */
function forkConfig(
  { stores, catalog, parts }: ForkContext,
  parent: RunRow,
  { version, overrides = {} }: ForkRun,
): ForkConfig {
  const { agent: ref } = parent
  const agent = version === undefined ? undefined : stores.agents.runnable(parent.agentId)
  if (version !== undefined && agent === undefined)
    throw new AppError('unprocessable', 'The agent was deleted, so it has no draft.', { path: 'version' })
  const base =
    agent === undefined
      ? { text: parent.config, hash: ref.configHash, origins: parent.origins }
      : configOf(stores.agents, catalog, { agent, version: 'draft' })
  const { text, hash, origins } = applyOverrides(base, overrides, { catalog, ...(parts && { parts }) })
  const named = agent === undefined ? ref : { ...ref, name: agent.name, version: 'draft' as const }
  return { text, origins, agent: { ...named, configHash: hash } }
}

/** The config of the parent and of the fork. */
function configsOf(parent: RunRow, fork: ForkConfig) {
  const read = ({ text, origins }: Omit<ForkConfig, 'agent'>) => {
    // The bytes of a compiled config are a JSON object.
    const config = JSON.parse(text) as JsonObject
    return { config, origins }
  }
  return { from: read({ ...parent, text: parent.config }), to: read(fork) }
}

/** How the config of the fork differs from its parent's. */
function changesIn({ version, overrides = {} }: ForkRun): ForkChange[] {
  const changes: ForkChange[] = []
  if (version !== undefined) changes.push('draft')
  if (overrides.model !== undefined || overrides.temperature !== undefined) changes.push('model')
  if (overrides.instructions !== undefined) changes.push('instructions')
  // A step limit alone has no name of its own: it is a policy of the draft.
  return overrides.maxSteps !== undefined && changes.length === 0 ? ['draft'] : changes
}

/** In a reply that a person wrote, a tool may appear under one of its other names, as in a model's reply. */
function underOwnNames({ tools }: Assembled, taken: readonly RunEvent[]): readonly RunEvent[] {
  const last = taken.at(-1)
  if (last?.type !== 'model.answered' || last.edited !== 'all') return taken
  const known = namesOf(tools)
  const parts = last.parts.map((part) =>
    part.type === 'call' ? { ...part, name: nameOfCall(known, part.name, part.args) } : part,
  )
  return [...taken.slice(0, -1), { ...last, parts }]
}

/** Takes secrets out of the calls that a person wrote, as out of a model's; the originals are kept once the fork is stored. */
function hideInEdited(
  { redact }: Assembled,
  taken: readonly RunEvent[],
): { events: readonly RunEvent[]; originals: ReadonlyMap<string, JsonObject> } {
  const originals = new Map<string, JsonObject>()
  const last = taken.at(-1)
  if (last?.type !== 'model.answered' || last.edited === undefined) return { events: taken, originals }
  const keep = (callId: string, _source: string, args: JsonObject) => void originals.set(callId, args)
  const hiding = { redact, originals: { keep, of: () => undefined } }
  const parts = last.parts.map((part) =>
    part.type === 'call' && !part.redacted ? hideInCall(hiding, part) : part,
  )
  return { events: [...taken.slice(0, -1), { ...last, parts }], originals }
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
  readonly config: ForkConfig
  readonly threadId: string
  readonly at: number
  readonly taken: readonly RunEvent[]
}

/** The row as the events taken over leave it; the fork's own usage and cost start at zero. */
function rowOf(
  parent: RunRow,
  { request, config, threadId, at, taken }: Forking,
): NewRunRow & { forkedFrom: ForkPoint } {
  const { edit } = request
  const hasBegun = taken.length > 0
  return {
    id: newId('run'),
    agentId: parent.agentId,
    threadId,
    agent: config.agent,
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
    config: config.text,
    origins: config.origins,
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
    ...(parent.user !== undefined && { user: parent.user }),
    seq: 0,
  }
}

function pointOf(runId: string, request: ForkRun): ForkPoint {
  const { step } = request
  const edit = editOf(request)
  const changes = changesIn(request)
  const { parent } = request
  const point = {
    runId,
    step,
    ...(parent !== undefined && { parent }),
    ...(changes.length > 0 && { changes }),
  }
  if (edit === undefined) return point
  return { ...point, edit: kindOf(edit), ...('callId' in edit && { callId: edit.callId }) }
}

function kindOf(edit: GivenEdit): NonNullable<ForkPoint['edit']> {
  if ('prompt' in edit) return 'prompt'
  if ('reply' in edit) return 'reply'
  if ('summary' in edit) return 'summary'
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
