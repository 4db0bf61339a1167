/** Runs other agents inside the calls of a run: the port through which its tools reach them. */
import { originalsInside } from '#lib/agent/call/inside'
import type { Originals } from '#lib/agent/call/originals'
import type { RunDeps } from '#lib/agent/deps'
import { offerOf } from '#lib/agent/request/offering'
import type { AgentsPort, AgentTask, CallableAgent, CallOfAgent, NamedAgent } from '#lib/spec/agents-port'
import type { Result } from '#lib/spec/errors'
import type { HookPort } from '#lib/spec/hook'
import type { InnerRun } from '#lib/spec/inner-run'
import type { Codec } from '#lib/spec/protocol'
import type { RunAgent } from '#lib/spec/run-agents'
import type { RunState } from '#lib/spec/state'
import { effect as effects, risk as risks, type ToolPorts } from '#lib/spec/tool'
import type { ToolOutput } from '#lib/spec/tool-output'
import type { Turns } from '#lib/spec/turns'
import { agentKey, agentsNamedIn } from '#lib/toolkits/agent'
import { mcp } from '#lib/toolkits/mcp'
import type { Assembled } from '../agents/assemble'
import { answerOf } from './child-answer'
import { questionOfTask } from './child-task'
import type { LoopFunctions } from './loop-functions'
import { depsOf } from './run-deps'

export interface ChildRuns {
  readonly engine: Pick<LoopFunctions, 'start' | 'run'>
  assemble(config: string): Promise<Result<Assembled>>
  /** The agents that the run may call, by key. */
  agents(): ReadonlyMap<string, RunAgent>
  /** The ports of a run that works in this folder of the workspace: all but the agents. */
  ports(folder: readonly string[]): Omit<ToolPorts, 'agents'>
  /** The folder in which the calling run works. */
  readonly folder: readonly string[]
  readonly clock: RunDeps['clock']
  readonly places?: Turns
  readonly hooks?: HookPort
  readonly originals?: Originals | undefined
  /** Keeps the tools of a codec, so that requests can be shown again. */
  keepTools?(codec: Codec): Codec
  report(error: unknown): void
}

type Known = { readonly of: CallableAgent; readonly assembled: Assembled; readonly stored: StoredAgent }
type StoredAgent = Extract<RunAgent, { config: string }>

/** The port of one run. What it says of an agent stays the same for as long as the run is at work. */
export function agentsPort(context: ChildRuns): AgentsPort {
  const known = new Map<string, Promise<Known | string>>()
  const findOnce = (named: NamedAgent): Promise<Known | string> => {
    const key = agentKey(named)
    const found = known.get(key) ?? find(context, named, findOnce)
    known.set(key, found)
    return found
  }
  return {
    find: async (named) => {
      const found = await findOnce(named)
      return typeof found === 'string' ? found : found.of
    },
    run: async (task, call) => {
      const found = await findOnce(task)
      if (typeof found === 'string') return { ok: false, code: 'no_agent', message: found }
      if (call.inner === undefined)
        return { ok: false, code: 'no_run', message: 'Another agent can only be called in a run.' }
      return runChild(context, { ...found, task, call, inner: call.inner })
    },
  }
}

type Find = (named: NamedAgent) => Promise<Known | string>

/** @param findOnce finds the agents that it calls, each once for all that call it */
async function find(context: ChildRuns, named: NamedAgent, findOnce: Find): Promise<Known | string> {
  const stored = context.agents().get(agentKey(named))
  if (stored === undefined) return `${named.agent} was not among the agents of this run when it began.`
  if ('problem' in stored) return stored.problem
  const assembled = await context.assemble(stored.config)
  if (!assembled.ok) {
    const why = assembled.error.map(({ message }) => message).join(' ')
    return `${named.agent} needs a part that is missing here: ${why}`
  }
  const { config } = assembled.value
  const highest = await classOf(assembled.value, findOnce)
  const of = {
    name: stored.agent.name,
    description: config.description,
    ...highest,
    ...(config.output && { output: config.output.schema }),
  }
  return { of, assembled: assembled.value, stored }
}

/** The highest class of the tools that the agent may use. Of an MCP server it is not known before it is asked. */
async function classOf(
  assembled: Assembled,
  findOnce: Find,
): Promise<Pick<CallableAgent, 'risk' | 'effect'>> {
  const { config } = assembled
  const inside = await Promise.all(
    agentsNamedIn(config).map(async (named) => {
      const found = await findOnce(named)
      return typeof found === 'string' ? [] : [found.of]
    }),
  )
  const classes = [
    ...offerOf(assembled).offered.filter(({ source }) => source !== 'agent'),
    ...(config.tools.some(({ use }) => use === mcp.id) ? [{ risk: 'write', effect: 'effect' } as const] : []),
    ...inside.flat(),
  ]
  const highest = <T>(order: readonly T[], of: (each: (typeof classes)[number]) => T) =>
    order[Math.max(0, ...classes.map((each) => order.indexOf(of(each))))]
  return {
    risk: highest(risks.options, ({ risk }) => risk) ?? 'read',
    effect: highest(effects.options, ({ effect }) => effect) ?? 'read',
  }
}

interface Child extends Known {
  readonly task: AgentTask
  readonly call: CallOfAgent
  readonly inner: InnerRun
}

/** Runs the child to its end, or until it only waits for people. */
async function runChild(context: ChildRuns, child: Child): Promise<ToolOutput> {
  const { assembled, task, call, inner } = child
  const before = inner.state()
  // A fork goes on in the copied folder of the run in which the child began.
  const folder = folderOf(context.folder, child, before?.forkedFrom?.runId ?? call.run.id)
  if (before?.finishedAt !== undefined)
    return answerOf(before, { name: task.agent, folder, from: context.folder })
  const given = before === undefined ? await giveFiles(context, folder, task) : undefined
  if (given !== undefined) return { ok: false, code: 'files', message: given }
  const state = before ?? context.engine.start(startOf(child))
  const deps = depsOfChild(context, child, folder)
  await inner.withoutPlace(async () => {
    // What people say while the child comes to rest is heard by the next round.
    for (let reason = inner.resumed; ; reason = 'decided') {
      await follow(context.engine.run(state, deps, call.signal, reason), child)
      if (state.finishedAt !== undefined || call.signal.aborted || inner.people.isEmpty) return
    }
  })
  if (state.finishedAt !== undefined)
    return answerOf(state, { name: task.agent, folder, from: context.folder })
  if (!call.signal.aborted) return { ok: 'rests' }
  return { ok: false, code: 'stopped', message: `${assembled.config.name} was stopped.` }
}

async function follow(events: ReturnType<LoopFunctions['run']>, { inner, call }: Child): Promise<void> {
  for await (const event of events) {
    const recorded = inner.record(event)
    // The budget of the outer run is read before the next step, so what the answer used must count by then.
    if (event.type === 'model.answered' && !call.signal.aborted) await recorded
  }
}

function depsOfChild(
  context: ChildRuns,
  { assembled, call, inner }: Child,
  folder: readonly string[],
): RunDeps {
  const { keepTools = (codec: Codec) => codec, places, hooks, report } = context
  const originals = originalsInside(context.originals, call.callId)
  const inside: ChildRuns = { ...context, folder, originals }
  const ports: ToolPorts = { ...context.ports(folder), agents: agentsPort(inside) }
  return {
    ...(call.run.id !== null && { runId: call.run.id }),
    ...depsOf({ ports, clock: context.clock }, assembled, () => inner.committed()),
    codec: keepTools(assembled.codec),
    decisions: inner.people,
    outer: inner.outer,
    aside: (wait) => inner.whileWaiting(wait),
    ...(places && { places }),
    ...(hooks && { hooks }),
    ...(originals && { originals }),
    report,
  }
}

function startOf({ assembled, stored, task, call }: Child): RunState['start'] {
  const redact = assembled.redact ?? ((text: string) => text)
  return {
    agent: stored.agent,
    // Only the body of a call gets known secrets, and this text is an event.
    input: redact(questionOfTask(task)),
    threadId: call.run.thread,
    historyThrough: null,
    history: [],
  }
}

/** Each call of an agent has a folder of its own, so that two at once do not write over each other's files. */
function folderOf(from: readonly string[], { task, call }: Child, runId: string | null): readonly string[] {
  if (task.workspace === 'shared') return from
  const run = runId === null ? '' : `${runId.slice(-6)}-`
  return [...from, 'agents', task.agent, `${run}${call.callId}`]
}

/** Copies the files of a task; returns why one of them cannot be given. */
async function giveFiles(
  context: ChildRuns,
  folder: readonly string[],
  { files, workspace }: AgentTask,
): Promise<string | undefined> {
  if (workspace === 'shared' || files.length === 0) return undefined
  const from = context.ports(context.folder).files
  const to = context.ports(folder).files
  for (const file of files) {
    const read = await from.read(file)
    if (!read.ok) return `The file ${file} cannot be given with the task: ${read.message}`
    const written = await to.write(file, read.value)
    if (!written.ok) return `The file ${file} cannot be given with the task: ${written.message}`
  }
  return undefined
}
