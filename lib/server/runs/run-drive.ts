/** Drives one run from its stored events to its end, or to the point where the server stops. */
import { storeFault } from '#db/fault'
import { Decisions } from '#lib/agent/call/decisions'
import type { Originals } from '#lib/agent/call/originals'
import type { RunDeps } from '#lib/agent/deps'
import { limitsOf } from '#lib/agent/limits'
import { toolHash, toolText } from '#lib/agent/request/request'
import { joinPath } from '#lib/agent/state/inner-path'
import type { AgentsPort } from '#lib/spec/agents-port'
import type { Diagnostic, Result } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { HookPort } from '#lib/spec/hook'
import type { MockDeps } from '#lib/spec/mock'
import type { Codec } from '#lib/spec/protocol'
import type { RunAgent } from '#lib/spec/run-agents'
import type { RunRow, RunStore, Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { Turns } from '#lib/spec/turns'
import type { Assembled } from '../agents/assemble'
import { type AboutPeople, isAboutPeople } from './about-people'
import { agentsPort } from './child-runs'
import { type Journal, JournalLoss, type LossReason } from './journal'
import type { LoopFunctions } from './loop-functions'
import { sha256 } from './run-config'
import { depsOf } from './run-deps'
import { createUploads } from './run-earlier'
import type { Endings } from './run-ending'
import { historyOf, stateOf } from './run-history'
import { recordedCalls } from './run-mocks'
import { Steering } from './steering-line'
import { stepLine } from './step-log'

/** A run in the queue or at work. */
export interface Live {
  readonly row: RunRow
  /** Aborted with `cancel` or `drain`. */
  readonly controller: AbortController
  /** Why the run is resumed, unless the server was stopped. */
  readonly reason?: 'decided'
  /** Passes a person's decisions to the loop. */
  readonly decisions: Decisions
  /** Passes a person's words to the run. */
  readonly steering: Steering
  /** Those who wait until the loop has recorded a decision or a reply about a call, or that it never will be. */
  heard: Heard[]
  /** Set when events of the run did not reach the disk: everything that it yields afterwards is void. */
  lost?: LossReason
}

/** Called when something about the call, or about a call around it, is on record. */
interface Heard {
  /** The path of the call. */
  readonly callId: string
  tell(): void
}

export function liveOf(row: RunRow, reason?: 'decided'): Live {
  const parts = {
    row,
    controller: new AbortController(),
    decisions: new Decisions(),
    steering: new Steering(),
    heard: [],
  }
  return reason === undefined ? parts : { ...parts, reason }
}

interface DriveContext {
  readonly stores: Pick<Stores, 'artifacts' | 'runs'>
  readonly runs: RunStore
  readonly engine: LoopFunctions
  assemble(configText: string): Promise<Result<Assembled>>
  ports(row: RunRow, folder?: readonly string[]): Omit<ToolPorts, 'agents'>
  /** The port through which the run calls hooks; without it every hook fails. */
  hooks?(runId: string): HookPort
  /** Where the run keeps arguments that contain secrets; without it, they are kept while the run is at work. */
  originals?(runId: string): Originals
  readonly clock: RunDeps['clock']
  /** The slots for calls at work, shared by all runs. */
  readonly places: Turns
  readonly journal: Journal
  readonly endings: Endings
  /** Frees the slot of the run while it waits; see `Queue.aside`. */
  aside<T>(runId: string, wait: () => Promise<T>, signal: AbortSignal): Promise<T>
  /** What the run asks people, and their answers. */
  readonly people: { heed(runId: string, event: AboutPeople): void; ended(runId: string): void }
  /** The run has finished a step, so it did not get stuck in it. */
  stepped(runId: string): void
  /** Called with one line for each finished step. */
  logStep?(line: string): void
  /** Called with a fault of the server that ended a run. */
  report(error: unknown, runId: string): void
}

/** Never throws: a fault of the server ends the run as failed and is reported. */
export async function driveRun(context: DriveContext, live: Live): Promise<void> {
  const { id } = live.row
  try {
    await drive(context, live)
  } catch (error) {
    live.lost ??= storeFault(error)
    if (live.lost === undefined) {
      context.report(error, id)
      await context.endings.end(id, 'failed', {
        code: 'internal',
        message: 'An internal error of the server ended the run.',
      })
    }
  } finally {
    live.steering.close()
  }
  if (live.lost !== undefined) context.endings.fall(id, live.lost)
}

async function drive(context: DriveContext, live: Live): Promise<void> {
  const { row, controller } = live
  const { runs, engine, journal } = context
  if (row.startedAt === null && row.cancelling) return context.endings.end(row.id, 'cancelled', null)
  const assembled = await context.assemble(row.config)
  if (!assembled.ok) {
    const message = `The run cannot continue with its agent: ${inWords(assembled.error)}`
    return context.endings.end(row.id, 'interrupted', { code: 'part_missing', message })
  }
  const { codec, policies } = assembled.value
  // A decision may be on its way to the disk; without it the state that is read would be out of date.
  await waitForCommit(journal, live)
  const history = historyOf(engine, runs, { row, limits: limitsOf(policies).history })
  const state = stateOf(engine, row, { history, events: runs.events(row.id) })
  if (row.cancelling) controller.abort('cancel')
  const keepTools = (each: Codec) => savingSchemas(runs, each)
  const ports = { ...portsOf(context, live), agents: agentsOf(context, live, keepTools) }
  const deps: RunDeps = {
    runId: row.id,
    ...depsOf({ ports, clock: context.clock }, assembled.value, () => waitForCommit(journal, live)),
    codec: keepTools(codec),
    decisions: live.decisions,
    hasUploads: createUploads(context.stores.artifacts, row.threadId),
    places: context.places,
    aside: (wait, signal) => context.aside(row.id, wait, signal),
    ...(context.hooks && { hooks: context.hooks(row.id) }),
    ...(row.mocked && { mocks: mocksFor(context.stores, row.id) }),
    ...(context.originals && { originals: context.originals(row.id) }),
    report: (error) => context.report(error, row.id),
  }
  live.steering.open(state, context.clock, (event) => journal.append(row.id, event))
  const resumed = live.reason ?? (row.drained ? 'drain' : 'crash')
  for await (const event of engine.run(state, deps, controller.signal, resumed)) {
    if (live.lost !== undefined) return
    journal.append(row.id, event)
    live.steering.stored(event)
    settle(live, event)
    // The run inside a call is part of that call: its steps and its end are not those of this run. But people
    // answer to both.
    if (event.parent !== undefined) {
      if (isAboutPeople(event))
        context.people.heed(row.id, { ...event, callId: joinPath(event.parent, event.callId) })
      if (event.type === 'step.finished') context.stepped(row.id)
      continue
    }
    // Stored before anything is tried again; otherwise a run that crashes the server would never be counted.
    if (event.type === 'run.resumed') await waitForCommit(journal, live)
    if (event.type === 'step.finished') {
      context.stepped(row.id)
      context.logStep?.(stepLine(row.id, state, event))
    }
    if (isAboutPeople(event)) context.people.heed(row.id, event)
    if (event.type === 'run.finished') context.people.ended(row.id)
  }
  await waitForCommit(journal, live)
}

/** As the run began with them: a mock that a person changes meanwhile is for later runs. */
function mocksFor(stores: Pick<Stores, 'runs'>, runId: string): MockDeps {
  return { set: stores.runs.mocksOf(runId) ?? {}, recorded: (id) => recordedCalls(stores, id) }
}

/** What the run has just recorded is found by its next search, since both are in the same database. */
function portsOf(
  { ports, journal }: DriveContext,
  live: Live,
  folder: readonly string[] = [],
): Omit<ToolPorts, 'agents'> {
  const own = ports(live.row, folder)
  return {
    ...own,
    memory: {
      ...own.memory,
      search: async (asked, signal) => {
        await waitForCommit(journal, live)
        return own.memory.search(asked, signal)
      },
    },
  }
}

/**
 * With these events an answer that a person gave is on record, or it never will be: a call may end in the moment in
 * which its answer comes.
 */
const settling: ReadonlySet<RunEvent['type']> = new Set(['approval.decided', 'input.given', 'call.finished'])

/** Tells those who wait for this call, or for one inside it; each of them reads the whole run again. */
function settle(live: Live, event: RunEvent): void {
  if (live.heard.length === 0 || !settling.has(event.type)) return
  if (!('callId' in event) || event.callId === undefined) return
  const path = event.parent === undefined ? event.callId : joinPath(event.parent, event.callId)
  const isMeant = ({ callId }: Heard) => callId === path || callId.startsWith(`${path}/`)
  const meant = live.heard.filter(isMeant)
  if (meant.length === 0) return
  live.heard = live.heard.filter((each) => !isMeant(each))
  for (const { tell } of meant) tell()
}

/** The agents that the run may call, as they were when it was created. */
function agentsOf(context: DriveContext, live: Live, keepTools: (codec: Codec) => Codec): AgentsPort {
  const { row } = live
  const { engine, clock, places } = context
  let agents: ReadonlyMap<string, RunAgent> | undefined
  return agentsPort({
    engine,
    clock,
    places,
    keepTools,
    assemble: context.assemble,
    folder: [],
    ports: (folder) => portsOf(context, live, folder),
    agents: () => {
      agents ??= new Map(context.runs.agentsOf(row.id).map((each) => [each.key, each]))
      return agents
    },
    ...(context.hooks && { hooks: context.hooks(row.id) }),
    ...(context.originals && { originals: context.originals(row.id) }),
    report: (error) => context.report(error, row.id),
  })
}

/** Waits for the events of this run only; another run's loss in the same batch does not matter here. */
async function waitForCommit(journal: Journal, live: Live): Promise<void> {
  try {
    await journal.committed()
  } catch (error) {
    if (!(error instanceof JournalLoss)) throw error
  }
  if (live.lost !== undefined) throw new JournalLoss(live.lost)
}

/** Codecs whose tools are in the store. The runs of one version share their codec, and no tool is ever removed. */
const saved = new WeakMap<RunStore, WeakSet<Codec>>()

/** Stores the tools of the codec, and those of every set that is opened from it. */
function savingSchemas(runs: RunStore, codec: Codec): Codec {
  const known = saved.get(runs) ?? new WeakSet()
  saved.set(runs, known)
  if (!known.has(codec))
    runs.saveSchemas(
      codec.offered.map(({ wire }) => ({ hash: toolHash(wire, sha256), json: toolText(wire) })),
    )
  known.add(codec)
  return { ...codec, over: (tools) => savingSchemas(runs, codec.over(tools)) }
}

function inWords(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ message, path }) => (path === undefined ? message : `${message} (${path})`))
    .join(' ')
}
