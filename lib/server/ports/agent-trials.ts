/**
 * The tools of an agent's draft as a person tries them one by one: with the settings of their entries, in a
 * workspace that the tries of an agent share, and with the last tries kept as examples.
 */
import { randomBytes } from 'node:crypto'
import { ownerOf } from '#db/stores/memories'
import { Decisions } from '#lib/agent/call/decisions'
import { faultOfReply } from '#lib/agent/call/question-rules'
import type { Clock } from '#lib/agent/deps'
import { redactKeyed } from '#lib/agent/observation/redact'
import { offerOf } from '#lib/agent/request/offering'
import type { Catalog } from '#lib/spec/catalog'
import type { ToolEntry } from '#lib/spec/config'
import { AppError, type Result } from '#lib/spec/errors'
import type { HookPort } from '#lib/spec/hook'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { Redact } from '#lib/spec/redact'
import type { RunAgent } from '#lib/spec/run-agents'
import { skillLoadName, skillRunName } from '#lib/spec/skill'
import type { RunnableAgent, Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool, ToolListing, WithheldByToolkit } from '#lib/spec/toolkit'
import type { KeptTry } from '#lib/spec/trial'
import { type WalledKind, walledKinds } from '#lib/spec/walls'
import type { TriedTool } from '#lib/wire/tools'
import type { SaidInTry, TrialTool, TrialToolList, TryEvent, TryList } from '#lib/wire/trials'
import type { Assembled } from '../agents/assemble'
import { findAgent } from '../agents/find-agent'
import { reachAgents } from '../agents/reach-agents'
import { agentsPort } from '../runs/child-runs'
import type { LoopFunctions } from '../runs/loop-functions'
import { configOf } from '../runs/run-config'
import { newId } from '../runs/run-create'
import { type LoopTrial, type ShownInTry, tryInLoop } from './try-in-loop'
import { type AskedInTry, sayToTry } from './try-questions'
import { checkArgs } from './try-tool'

/** Expected failures are thrown as AppError. */
export interface AgentTrials {
  /** The tools of the draft. Throws `not_compiled` for a drawing with errors. */
  tools(agentId: string, signal: AbortSignal): Promise<TrialToolList>
  /** The thread whose workspace all tries share, made if there is none. */
  thread(agentId: string): { threadId: string }
  tries(agentId: string, tool: string): TryList
  forget(agentId: string, tool: string): void
  /**
   * Tries a tool until it ends or the signal aborts, and keeps the try. Throws before it begins for arguments
   * that do not fit, and for a tool that may change something when the person has not agreed.
   */
  begin(agentId: string, asked: AskedTry): Promise<(tell: (event: TryEvent) => void) => Promise<void>>
  /** A person's reply to a question of a tool that is tried. */
  reply(said: SaidInTry): void
}

export interface AskedTry {
  readonly tool: string
  readonly args: JsonObject
  readonly confirmed: boolean
  readonly signal: AbortSignal
}

interface TrialsContext {
  readonly stores: Stores
  readonly catalog: Catalog
  readonly clock: Clock
  readonly redact: Redact
  readonly engine: LoopFunctions
  readonly hooks: HookPort
  assemble(configText: string): Promise<Result<Assembled>>
  /** The ports of a thread outside any run, in this folder of its workspace: all but the agents. */
  ports(threadId: string, folder: readonly string[]): Omit<ToolPorts, 'agents'>
  /** Something was added to a memory. */
  remembered(): void
  report(error: unknown): void
}

/** A try at work, with the questions that wait for a person. */
interface OpenTry {
  readonly people: Decisions
  readonly questions: Map<string, AskedInTry>
}

/** Tries at work at once, on the whole server. */
const mostAtOnce = 8
/** Tries that are kept of each tool. */
const mostKept = 20
/** The longest arguments, and the longest result, that are kept, in characters of JSON. */
const longestKept = 65_536
/** The most characters of output that are shown while a tool works. */
const mostShown = 1_048_576
/** Listing tools opens no file, so any name serves. */
const noThread = 'none'
/** The agents whose plans of tries are kept, in memory. */
const mostPlans = 100
const entries = 'tools/'
const isOfEntry = (node: string) => node.startsWith(entries)
const ofSkills: ReadonlySet<string> = new Set([skillLoadName, skillRunName])
/** How long a server of tools may take to answer before the tools that are known are listed. */
const longestListingMs = 10_000

export function createAgentTrials(context: TrialsContext): AgentTrials {
  const { stores, clock } = context
  const { trials } = stores
  let atWork = 0
  const open = new Map<string, OpenTry>()
  const plans = new Map<string, LoopTrial['plans']>()

  /** What the tries of an agent have planned. */
  function plansOf(agentId: string): LoopTrial['plans'] {
    const known = plans.get(agentId) ?? {}
    plans.delete(agentId)
    plans.set(agentId, known)
    const [oldest] = plans.keys()
    if (plans.size > mostPlans && oldest !== undefined) plans.delete(oldest)
    return known
  }

  function threadOf(agent: Pick<RunnableAgent, 'id'>): string {
    const known = trials.threadOf(agent.id)
    if (known !== undefined) return known
    const [id, at] = [newId('thread'), clock.now()]
    const times = { createdAt: at, updatedAt: at }
    stores.threads.insert({ id, agentId: agent.id, title: 'Tools tried by hand', purpose: 'test', ...times })
    trials.putThread(agent.id, id)
    return id
  }

  return {
    tools: async (agentId, signal) => {
      const agent = agentOf(context, agentId)
      const drawn = await draftOf(context, agent)
      const { tools: found, withheld: missing } = await toolsOf(
        drawn,
        portsOf(context, drawn, noThread),
        signal,
      )
      const mocks = trials.mocks(agentId)
      const byTool = new Map(mocks.map((each) => [each.tool, each]))
      const counts = trials.counts(agentId)
      const withheld = new Map(
        offerOf({ ...drawn, tools: found }).withheld.map(({ name, reason }) => [name, reason]),
      )
      const items = found.map((tool): TrialTool => {
        const kept = byTool.get(tool.name)
        const reason = withheld.get(tool.name)
        return {
          ...faceOf(tool, drawn, context.catalog),
          ...(reason !== undefined && { withheld: reason }),
          ...(kept && { mock: { mock: kept.mock, on: kept.on } }),
          tries: counts.get(tool.name) ?? 0,
        }
      })
      const names = new Set(found.map(({ name }) => name))
      const lost = mocks
        .filter(({ tool }) => !names.has(tool))
        .map(({ tool, mock, on }) => ({ tool, mock, on }))
      const unavailable = missing.map(({ name, node, reason }) => ({ name, entry: node, reason }))
      return { items, unavailable, lost, threadId: trials.threadOf(agentId) ?? null }
    },

    thread: (agentId) => ({ threadId: threadOf(agentOf(context, agentId)) }),

    tries: (agentId, tool) => {
      agentOf(context, agentId)
      return { items: trials.tries(agentId, tool).map(({ agentId: _, tool: __, ...kept }) => kept) }
    },

    forget: (agentId, tool) => {
      agentOf(context, agentId)
      trials.forget(agentId, tool)
    },

    begin: async (agentId, { tool: name, args, confirmed, signal }) => {
      const agent = agentOf(context, agentId)
      const drawn = await draftOf(context, agent)
      const thread = threadOf(agent)
      const ports = portsOf(context, drawn, thread)
      const { tools } = await toolsOf(drawn, ports, signal)
      const tool = tools.find((each) => each.name === name)
      if (tool === undefined)
        throw new AppError('not_found', `The draft has no tool called ${name.slice(0, 100)}.`)
      checkArgs(tool, args)
      if (!confirmed && tool.risk !== 'read')
        throw new AppError(
          'unprocessable',
          `${name} may change something (risk: ${tool.risk}). Send "confirmed": true to run it.`,
          { path: 'confirmed' },
        )
      if (atWork >= mostAtOnce)
        throw new AppError('too_many', `${mostAtOnce} tools are being tried already. Try again in a moment.`)
      return async (tell) => {
        const tryId = newTryId()
        const asking: OpenTry = { people: new Decisions(), questions: new Map() }
        open.set(tryId, asking)
        atWork += 1
        try {
          const tried = await tryInLoop(context, {
            ...{
              id: tryId,
              tool: name,
              args,
              thread,
              assembled: drawn,
              ports,
              signal,
              people: asking.people,
            },
            agent: { id: agent.id, name: drawn.config.name, version: 'draft', configHash: '' },
            plans: plansOf(agent.id),
            tell: shownTo(tell, { tryId, questions: asking.questions }),
            remember: ({ entries, at }) => {
              const owner = ownerOf({ threadId: thread })
              stores.memories.record({ agentId, owner, runId: null }, entries, at)
              context.remembered()
            },
          })
          tell(kept(context, { agentId, tool: name, args, tried, isStopped: signal.aborted }))
        } finally {
          open.delete(tryId)
          atWork -= 1
        }
      }
    },

    reply: ({ tryId, questionId, ...said }) => {
      const asking = open.get(tryId)
      const asked = asking?.questions.get(questionId)
      if (asking === undefined || asked === undefined)
        throw new AppError('conflict', 'This question is closed: it was answered, or the try is over.')
      const fault = faultOfReply(asked.input, said)
      if (fault !== undefined)
        throw new AppError('unprocessable', fault.message, {
          path: asked.input.schema === undefined ? 'text' : 'values',
          ...(fault.fields && { fields: fault.fields }),
        })
      asking.questions.delete(questionId)
      sayToTry(asking.people, asked, said)
    },
  }
}

/** The ports of a try, with the agents that the draft can call now. */
function portsOf(context: TrialsContext, { config }: Assembled, threadId: string): ToolPorts {
  const { stores, engine, clock, hooks, assemble, report } = context
  const reached = reachAgents({ name: config.name, config }, (named) => findAgent(stores.agents, named))
  const known = new Map(reached.agents.map((each): [string, RunAgent] => [each.key, each]))
  const ports = (folder: readonly string[]) => context.ports(threadId, folder)
  const agents = agentsPort({
    ...{ engine, clock, hooks, assemble, report, ports },
    agents: () => known,
    folder: [],
  })
  return { ...ports([]), agents }
}

function agentOf({ stores }: TrialsContext, agentId: string): RunnableAgent {
  const agent = stores.agents.runnable(agentId)
  if (agent === undefined) throw new AppError('not_found', 'There is no such agent.')
  return agent
}

async function draftOf(
  { stores, catalog, assemble }: TrialsContext,
  agent: RunnableAgent,
): Promise<Assembled> {
  const assembled = await assemble(configOf(stores.agents, catalog, { agent, version: 'draft' }).text)
  if (assembled.ok) return assembled.value
  throw new AppError('not_compiled', 'A part of the draft is not on this server.', {
    diagnostics: assembled.error,
  })
}

/** The tools that entries and skills offer now; those that belong to the loop, such as `finish`, cannot be tried alone. */
async function toolsOf(
  { tools, lister }: Assembled,
  ports: ToolPorts,
  signal: AbortSignal,
): Promise<{ tools: BoundTool[]; withheld: readonly WithheldByToolkit[] }> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(longestListingMs)])
  const now: ToolListing = lister === undefined ? { tools } : await lister(ports)(patience)
  const ofEntries = now.tools.filter(({ node, name }) => isOfEntry(node) || ofSkills.has(name))
  return { tools: ofEntries, withheld: now.withheld ?? [] }
}

function faceOf(tool: BoundTool, { config }: Assembled, catalog: Catalog): Omit<TrialTool, 'tries'> {
  const { name, scopeName, node: entry, source, description, parameters, risk, effect } = tool
  const set = isOfEntry(entry) ? config.tools[Number(entry.slice(entries.length))] : undefined
  const preset = set?.preset ?? {}
  const walled = walledOf(tool, set, catalog)
  return {
    ...{ name, scopeName, entry, source, description, parameters, risk, effect },
    preset: Object.hasOwn(preset, scopeName) ? (preset[scopeName] ?? {}) : {},
    timeoutSeconds: tool.timeoutSeconds,
    ...(walled && { walled }),
    example: tool.example ?? null,
  }
}

/** The kind of foreign code that a tool runs: its own, or the one that a setting of its entry names. */
function walledOf(
  { scopeName, source }: BoundTool,
  set: ToolEntry | undefined,
  { tools, kinds }: Catalog,
): WalledKind | undefined {
  const { walledBy, schema } = kinds.find(({ kind }) => kind === `tool:${source}`) ?? {}
  if (walledBy === undefined)
    return tools.find(({ name, use }) => name === scopeName && use === source)?.walled
  const value = set?.[walledBy] ?? schema?.properties?.[walledBy]?.default
  return walledKinds.find((each) => each === value)
}

/** Passes on what a tool shows, up to a limit. */
function shownTo(
  tell: (event: TryEvent) => void,
  { tryId, questions }: Pick<OpenTry, 'questions'> & { readonly tryId: string },
): ShownInTry {
  let left = mostShown
  const take = (chars: number, event: TryEvent) => {
    if (left <= 0) return
    left -= chars
    tell(event)
    if (left <= 0) tell({ type: 'progress', text: '\n… (more output is not shown)\n' })
  }
  return {
    text: (text) => take(text.length, { type: 'progress', text }),
    blocks: (blocks) => take(JSON.stringify(blocks).length, { type: 'shown', blocks }),
    wait: (wait) => tell({ type: 'wait', wait }),
    file: (artifact) => tell({ type: 'file', artifact }),
    asks: (asked) => {
      const questionId = questionIdOf(asked.callId, asked.input.inputId)
      questions.set(questionId, asked)
      tell({ type: 'asks', tryId, questionId, tool: asked.tool, input: asked.input })
    },
    answered: (callId, inputId) => {
      const questionId = questionIdOf(callId, inputId)
      questions.delete(questionId)
      tell({ type: 'answered', questionId })
    },
  }
}

const newTryId = () => `try_${randomBytes(10).toString('hex')}`
const questionIdOf = (callId: string, inputId: string) => `${callId} ${inputId}`

interface Ended {
  readonly agentId: string
  readonly tool: string
  readonly args: JsonObject
  readonly tried: TriedTool
  readonly isStopped: boolean
}

/** Keeps the try, without known secrets, and returns what is told of it. */
function kept(
  { stores, clock, redact }: TrialsContext,
  { agentId, tool, args, tried, isStopped }: Ended,
): TryEvent {
  const shown = redactKeyed({ redact }, args)
  const isRedacted = JSON.stringify(shown) !== JSON.stringify(args)
  const { blocks } = tried.result
  const cut = [
    ...(JSON.stringify(shown).length > longestKept ? (['args'] as const) : []),
    ...(JSON.stringify(blocks).length > longestKept ? (['result'] as const) : []),
  ]
  const row: KeptTry = {
    id: newTryId(),
    at: clock.now(),
    args: cut.includes('args') ? null : shown,
    ...(isRedacted && { redacted: true }),
    status: isStopped ? 'stopped' : tried.status,
    code: isStopped ? 'stopped' : tried.code,
    durationMs: tried.durationMs,
    result: cut.includes('result') ? null : blocks,
  }
  // The agent may have been removed meanwhile.
  if (stores.agents.runnable(agentId) !== undefined) stores.trials.addTry({ ...row, agentId, tool }, mostKept)
  const whole: Block[] = blocks
  return {
    type: 'done',
    tried: { ...row, result: whole },
    ...(tried.metadata && { metadata: tried.metadata }),
    cut,
  }
}
