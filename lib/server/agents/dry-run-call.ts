/** What would happen to one call of an agent, or of an agent that it calls: for a call that is not made. */
import { type Explaining, type Explanation, explain, explainOuter } from '#lib/agent/call/explain'
import { firstByName } from '#lib/agent/request/codecs'
import { AppError } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import type { Codec } from '#lib/spec/protocol'
import type { RunState } from '#lib/spec/state'
import type { DryRun } from '#lib/wire/dry-run'
import type { Assembled } from './assemble'
import { type CheckContext, checkCalled, freshState, namedBy, openAgent, withCallable } from './called-agents'
import { type FirstRequestContext, firstRequest } from './first-request'

export type DryRunContext = CheckContext & FirstRequestContext

interface DryRunCall {
  readonly assembled: Assembled
  /** What has happened in the run before the call. */
  readonly state: RunState
  /** Whether a person has put files into the thread of the run. */
  readonly hasUploads?: (() => boolean) | undefined
  /** The tools by which the agent that makes the call is called, from the agent itself. */
  readonly through: readonly string[]
  readonly tool: string
  readonly args: JsonObject | string
  /** Whether the first request of a called agent is told, for which servers of tools may be asked. */
  readonly withRequest: boolean
}

type Caller = Explaining & Assembled

/** Throws for a `through` that leads to no agent that can be called. */
export async function dryRunCall(context: DryRunContext, call: DryRunCall): Promise<DryRun> {
  const ports = context.portsOf(call.assembled)
  const { state, hasUploads, through, withRequest } = call
  let caller: Caller = {
    ...(await withCallable(call.assembled, ports)),
    state,
    ...(hasUploads && { hasUploads }),
  }
  const callers: string[] = []
  for (const [index, tool] of through.entries()) {
    const path = `through/${index}`
    const named = namedBy(caller, ownName(caller, tool))
    if (named === undefined)
      throw new AppError('not_found', `${caller.config.name} calls no agent by a tool “${tool}”.`, { path })
    const opened = await openAgent(context, named)
    if ('problem' in opened) throw new AppError('unprocessable', opened.problem, { path })
    callers.push(caller.config.name)
    const outer = explainOuter(caller)
    const own = freshState(context.engine, opened.agent)
    caller = { ...(await withCallable(opened.assembled, ports)), state: own, outer }
  }
  const { asked, ...rest } = explainCall(caller, caller.state, call)
  const told = { ...rest, asked: [...asked] }
  const named = namedBy(caller, rest.tool)
  if (named === undefined || rest.outcome.type === 'refused') return told
  const outer = explainOuter(caller)
  const way = { caller, callers, named, through: [...through, rest.tool] }
  const called = await checkCalled(context, { ...way, outer, ports })
  const opened = await openAgent(context, named)
  if ('problem' in opened) return { ...told, inside: { agent: named.agent, problem: opened.problem }, called }
  const { name, version } = opened.agent
  if (!withRequest) return { ...told, inside: { agent: name, version }, called }
  const args = { ...rest.outcome.args, ...presetOf(caller, named, rest.tool) }
  const request = await firstRequest(context, { ...opened, args, outer })
  if (!request.ok) return { ...told, inside: { agent: name, version, problem: request.error }, called }
  return { ...told, inside: { agent: name, version, request: request.value }, called }
}

/** The arguments that the entry sets for the tool; the model does not send them. */
function presetOf({ config, tools }: Caller, { path }: { path: string }, name: string): JsonObject {
  const { preset } = config.tools[Number(path.split('/')[1])] ?? {}
  return preset?.[tools.find((each) => each.name === name)?.scopeName ?? ''] ?? {}
}

type Calling = Pick<Explaining, 'tools' | 'policies' | 'groups' | 'hasUploads' | 'outer'> &
  Pick<Assembled, 'codec'>

/** Explains a call of an assembled agent. `tool` may be the wire name, which is what a model writes. */
export function explainCall(
  { tools, policies, groups, codec, hasUploads, outer }: Calling,
  state: RunState,
  { tool, args }: { tool: string; args: JsonObject | string },
): Explanation {
  const name = ownName({ tools, codec }, tool)
  const rawArgs = typeof args === 'string' ? args : JSON.stringify(args)
  const around = { ...(hasUploads && { hasUploads }), ...(outer && { outer }) }
  return explain({ tools, policies, groups, state, ...around }, { name, rawArgs })
}

/** The tool's own name, where it may be given by its wire name. */
function ownName({ tools, codec }: Pick<Calling, 'tools' | 'codec'>, tool: string): string {
  const wired = (known: Codec) => known.offered.find(({ wire }) => wire.name === tool)?.name
  // A tool of a group that is not active has a wire name as well.
  return wired(codec) ?? wired(codec.over([...firstByName(tools).values()])) ?? tool
}
