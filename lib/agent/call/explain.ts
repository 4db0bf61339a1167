/** Dry-runs one call: asks all that a run would ask, in the same order, and returns every answer. */
import type { CallStatus } from '#lib/spec/event'
import type { OuterRun } from '#lib/spec/inner-run'
import type { JsonObject } from '#lib/spec/json'
import type { Stage, Verdict } from '#lib/spec/policy'
import type { CallState, RunState } from '#lib/spec/state'
import type { RunDeps } from '../deps'
import { policiesOf } from '../enclosing'
import { findWithheld } from '../engine'
import { readArgs } from '../fit/args'
import { limitsOf } from '../limits'
import { outerOf } from '../outer'
import type { PolicyAnswer } from '../request/offer'
import { offerOf } from '../request/offering'
import { grantKey } from '../state/approval-fold'
import { createPast } from '../state/past'
import { nameOfCall, namesOf } from './names'
import { finishRefused, type Judged, type Judging, judge } from './refuse'

/**
 * One question and its answer. `registered`: is there such a tool; `offered`: does the model see it; `read`:
 * are the arguments one JSON object; `preset`: are some set by the config; `schema`: do they fit. The other
 * stages are questions to policies.
 */
export interface StageAsked {
  readonly stage: Stage | 'registered' | 'offered' | 'read' | 'preset' | 'schema'
  /** Null where no policy was asked. */
  readonly policy: string | null
  /** The entry that answers, a policy's or the tool's own; null when there is no such tool. */
  readonly node: string | null
  readonly verdict: 'allow' | Verdict
  readonly reason?: string
  /** A person has approved this for the whole run. */
  readonly granted?: true
}

/** The outcome of a call. `args` are those that its body would get, without preset ones. */
export type ExplainedOutcome =
  | { readonly type: 'runs'; readonly args: JsonObject }
  | { readonly type: 'asks'; readonly args: JsonObject }
  /** `message` is what the model would read. */
  | { readonly type: 'refused'; readonly status: CallStatus; readonly code: string; readonly message: string }

export interface Explanation {
  /** The tool's own name, or the name asked for when there is no such tool. */
  readonly tool: string
  /** In the order of asking, up to the answer that decides. */
  readonly asked: readonly StageAsked[]
  readonly outcome: ExplainedOutcome
}

export interface Explaining extends Pick<RunDeps, 'tools' | 'policies' | 'groups' | 'hasUploads' | 'outer'> {
  /** The state before the call: its counters, and what was approved for the run. It is not changed. */
  readonly state: RunState
}

/** @param rawArgs JSON text, as a model would write it */
export function explain(
  { tools, groups, state, ...around }: Explaining,
  { name, rawArgs }: { name: string; rawArgs: string },
): Explanation {
  const policies = policiesOf(around)
  const offered = offerOf({ tools, policies, groups }, state)
  const names = namesOf(offered.offered)
  const heard: PolicyAnswer[] = []
  const judging: Judging = {
    state,
    deps: { policies },
    offering: { set: offered },
    tool: (wanted) => names.get(wanted),
    withheld: (wanted) => findWithheld(wanted, offered, tools),
    past: createPast(asNextStep(state), () => tools, around),
    heard: (each) => heard.push(each),
  }
  const read = readArgs(rawArgs)
  const called = nameOfCall(names, name, 'args' in read ? read.args : undefined)
  const tool = judging.tool(called) ?? judging.withheld(called)?.tool
  // A run knows a call by the tool's own name, even when the model used an alias.
  const own = tool?.name ?? called
  const call = callOf(own, rawArgs)
  const judged = judge(judging, call)
  const isGranted = (node: string, reason: string) => state.granted.has(grantKey(node, own, reason))
  const told = heard.map((each) =>
    each.stage === 'schema' ? schemaAnswer(each, tool?.node ?? null) : rulingAnswer(each, isGranted),
  )
  return {
    tool: own,
    asked: [...beforePolicies(judging, call), ...told],
    outcome: outcomeOf(call, judged),
  }
}

/** What of an agent would hold for another one that it called. */
export function explainOuter({ tools, state, ...around }: Explaining): OuterRun {
  const deps = { ...around, policies: policiesOf(around) }
  const past = createPast(state, () => tools, around)
  return outerOf({ state, deps, limits: limitsOf(deps.policies), past, signal: neverStopped }, dryCallId)
}

/** The state for a call made now: if the last step has ended, its calls do not count in the next one. */
function asNextStep(state: RunState): RunState {
  return state.steps.at(-1)?.finishedAt === undefined ? state : { ...state, steps: [] }
}

const dryCallId = 'dry-run'
const neverStopped = new AbortController().signal

function callOf(name: string, rawArgs: string): CallState {
  return {
    id: dryCallId,
    name,
    argsText: '',
    rawArgs,
    ...readArgs(rawArgs),
    status: 'due',
    node: null,
    durationMs: 0,
    attempts: 0,
    code: null,
    progress: { text: '', blocks: null },
    created: [],
    rulings: [],
  }
}

function outcomeOf(call: CallState, judged: Judged): ExplainedOutcome {
  switch (judged.runs) {
    case true:
      return { type: 'runs', args: judged.args }
    case 'asks':
      return { type: 'asks', args: judged.args }
    case false: {
      const { status, code } = judged.refusal
      return { type: 'refused', status, code, message: finishRefused(call, judged.refusal).result.text }
    }
  }
  return judged satisfies never
}

/** The stages that are decided without a policy. */
function beforePolicies(judging: Judging, { name, args, invalid }: CallState): StageAsked[] {
  const hidden = judging.withheld(name)
  const tool = judging.tool(name) ?? hidden?.tool
  if (tool === undefined)
    return [stageAnswer('registered', null, { verdict: 'deny', reason: 'no tool has this name' })]
  const { node, preset = [] } = tool
  const found = [stageAnswer('registered', node, { verdict: 'allow' })]
  if (judging.tool(name) === undefined && hidden !== undefined) {
    const { policy, node: by, reason } = hidden.because
    return [...found, { stage: 'offered', policy, node: by, verdict: 'deny', reason }]
  }
  found.push(stageAnswer('offered', node, { verdict: 'allow' }))
  if (args === undefined)
    return [...found, stageAnswer('read', node, { verdict: 'deny', reason: invalid?.message })]
  found.push(stageAnswer('read', node, { verdict: 'allow' }))
  if (preset.length === 0) return found
  const sent = preset.filter((key) => Object.hasOwn(args, key))
  const rest = sent.length === 0 ? '' : `; the call’s own value of ${sent.join(', ')} is ignored`
  const reason = `${preset.join(', ')} ${preset.length === 1 ? 'is' : 'are'} set by the tool's own settings${rest}`
  return [...found, stageAnswer('preset', node, { verdict: 'allow', reason })]
}

function stageAnswer(
  stage: StageAsked['stage'],
  node: string | null,
  { verdict, reason }: { verdict: StageAsked['verdict']; reason?: string | undefined },
): StageAsked {
  return { stage, policy: null, node, verdict, ...(reason !== undefined && { reason }) }
}

function schemaAnswer(
  { invalid }: Extract<PolicyAnswer, { stage: 'schema' }>,
  node: string | null,
): StageAsked {
  return stageAnswer('schema', node, {
    verdict: invalid === undefined ? 'allow' : 'deny',
    reason: invalid?.message,
  })
}

function rulingAnswer(
  { stage, policy: { use, node }, ruling }: Exclude<PolicyAnswer, { stage: 'schema' }>,
  isGranted: (node: string, reason: string) => boolean,
): StageAsked {
  if (ruling === undefined) return { stage, policy: use, node, verdict: 'allow' }
  const { verdict, reason } = ruling
  const more = verdict === 'confirm' && isGranted(node, reason) ? { granted: true as const } : {}
  return { stage, policy: use, node, verdict, reason, ...more }
}
