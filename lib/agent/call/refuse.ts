/** Decides whether a call may run, and makes the result of one that may not, in words the model can use. */
import type { CallStatus, EventBody } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import { nearestFirst } from '#lib/spec/nearest'
import { defaultToolLimits, type Ruling } from '#lib/spec/policy'
import { secretMask } from '#lib/spec/redact'
import type { Approval, CallState, HookCalled, RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Engine, wireForm } from '../engine'
import { fitArgs, type ReadArgs } from '../fit/args'
import { observeError, shortenObservation, shownBlocks } from '../observation/observe'
import {
  type AboutToRun,
  denialIn,
  type PolicyListener,
  type Ruled,
  rule,
  type Withheld,
} from '../request/offer'
import { grantKey } from '../state/approval-fold'
import { deniedByHook } from '../state/hook-record'
import { callKey } from '../state/past'
import { type ArgsToRun, argsToRun, type Hiding } from './originals'
import { longestWaitMs } from './place-line'

/** A result without a body. */
export interface Refusal {
  readonly status: CallStatus
  readonly code: string
  readonly message: string
  /** The tool's own name, or the name the model wrote when there is no such tool. */
  readonly name: string
  /** The tool's entry; null when there is no such tool. */
  readonly node: string | null
}

/** A call whose arguments fit its tool. */
interface Fitted {
  readonly tool: BoundTool
  /** What the body gets. */
  readonly args: JsonObject
  /** The same arguments as events have them, without secrets. */
  readonly shown: JsonObject
}

export type Judged =
  | ({ readonly runs: true; readonly rulings: readonly Ruled[] } & Fitted)
  /** A person decides first; `rulings` hold the reasons. */
  | ({ readonly runs: 'asks'; readonly rulings: readonly Ruled[] } & Fitted)
  | { readonly runs: false; readonly rulings: readonly Ruled[]; readonly refusal: Refusal }

/** The parts of a run that its judgement reads. */
export interface Judging extends Pick<Engine, 'state' | 'tool' | 'withheld' | 'past'> {
  readonly offering: Pick<Engine['offering'], 'set'>
  readonly deps: Pick<Engine['deps'], 'policies' | 'redact' | 'originals'>
  /** Receives the answers of the policies. */
  readonly heard?: PolicyListener
}

/**
 * Decides how a call that has not begun continues: is the tool registered, then the policies in order, with
 * the arguments checked at their stage.
 */
export function judge(engine: Judging, call: CallState): Judged {
  if (call.name.trim() === '') return notAllowed(nameless(engine))
  const tool = engine.tool(call.name)
  if (tool === undefined) return judgeHidden(engine, call)
  // A ruling on record is final. Asking again would record it twice.
  const standing = refusalBy(tool, call.rulings) ?? rejectedRefusal(tool, call.approval)
  if (standing !== undefined) return notAllowed(standing)
  const hooked = deniedByHook(call)
  if (hooked !== undefined) return notAllowed(denialRefusal(tool, hooked.reason ?? ''), [rulingOf(hooked)])
  const found = argsToRun(engine.deps, call)
  if (found === undefined) return notAllowed(secretLostRefusal(call, tool))
  const { args: given, shown } = found
  if (given === undefined) return notAllowed(unfit(tool, call.invalid))
  const fit = fitFound(tool, found)
  const about = aboutToRun(engine, call, { tool, given, fit, shown })
  const { rulings, invalid } = rule(about, engine.deps.policies)
  const refusal = refusalBy(tool, rulings)
  if (refusal !== undefined) return notAllowed(refusal, rulings)
  if ('invalid' in fit) return notAllowed(unfit(tool, invalid ?? fit.invalid))
  const open = rulings.filter((each) => !isGranted(engine.state, call, each))
  const { args } = fit
  return { runs: open.length === 0 ? true : 'asks', rulings: open, tool, args, shown: shown(args) }
}

/** The arguments fitted to the tool. Why they do not fit is said of what events show of them: it quotes values. */
function fitFound(tool: BoundTool, { args = {}, shown, isRedacted }: ArgsToRun): ReadArgs {
  const fit = fitArgs(tool, withoutPreset(tool, args))
  if ('args' in fit || !isRedacted) return fit
  const told = fitArgs(tool, withoutPreset(tool, shown(args)))
  if ('invalid' in told) return told
  const message = `The arguments do not fit ${tool.name}. They contain a secret, so no details are given.`
  return { invalid: { code: fit.invalid.code, message } }
}

/** What the body of a call gets that may run or had begun to, whatever the policies say; undefined when that is not known. */
export function fittedArgs(deps: Hiding, tool: BoundTool, call: CallState): Omit<Fitted, 'tool'> | undefined {
  const found = argsToRun(deps, call)
  const fit = found?.args === undefined ? undefined : fitFound(tool, found)
  return found === undefined || fit === undefined || 'invalid' in fit
    ? undefined
    : { args: fit.args, shown: found.shown(fit.args) }
}

function rulingOf({ node, reason = '' }: HookCalled): Ruled {
  return { policy: 'hook', node, verdict: 'deny', reason }
}

/** An approval covers the reasons it was asked for, or the whole run where the person said so. */
function isGranted({ granted }: RunState, call: CallState, { node, reason, verdict }: Ruled): boolean {
  if (verdict !== 'confirm' || granted.has(grantKey(node, call.name, reason))) return true
  if (call.approval?.decided?.decision !== 'approve') return false
  return call.rulings.some((each) => each.node === node && each.reason === reason)
}

function rejectedRefusal({ name, node }: BoundTool, approval: Approval | undefined): Refusal | undefined {
  const { decision, by, reason } = approval?.decided ?? {}
  if (decision !== 'reject') return undefined
  const who = by === 'timeout' ? 'nobody decided on it in time' : 'a person said no to it'
  const why = reason === undefined || reason.trim() === '' ? '' : `: ${reason.trim()}`
  const code = by === 'timeout' ? 'approval_timeout' : 'rejected'
  return {
    status: 'denied',
    code,
    message: `Not run, since ${who}${why}${/[.!?]$/.test(why) ? '' : '.'}`,
    name,
    node,
  }
}

function aboutToRun(
  { past, heard }: Judging,
  call: CallState,
  {
    tool,
    given,
    fit,
    shown = (own) => own,
  }: { tool: BoundTool; given: JsonObject; fit: ReadArgs; shown?: ArgsToRun['shown'] },
): AboutToRun {
  const sent = withoutPreset(tool, given)
  const args = 'args' in fit ? fit.args : sent
  const { name } = tool
  // A call that ran is counted by the arguments it ran with, one that did not by the arguments that were
  // sent.
  const keys = () => new Set([callKey({ ...call, name, args: shown(args) }), callKey(call)])
  const { id: callId } = call
  const more = { ...('invalid' in fit && { invalid: fit.invalid }), ...(heard && { heard }) }
  return { tool, callId, args, past: past(keys), ...more }
}

/** The model cannot know preset arguments, so what it sends for one counts as not sent. */
function withoutPreset({ preset = [] }: BoundTool, args: JsonObject): JsonObject {
  if (!preset.some((key) => Object.hasOwn(args, key))) return args
  return Object.fromEntries(Object.entries(args).filter(([key]) => !preset.includes(key)))
}

/** A tool that the model was not offered: either withheld, and then ruled on again, or nonexistent. */
function judgeHidden(engine: Judging, call: CallState): Judged {
  const hidden = engine.withheld(call.name)
  if (hidden === undefined) return notAllowed(unknown(call.name, engine))
  const { tool, because } = hidden
  if (denialIn(call.rulings) !== undefined) return notAllowed(denialRefusal(tool, because.reason))
  const given = call.args ?? {}
  const { rulings } = rule(
    aboutToRun(engine, call, { tool, given, fit: { args: given } }),
    engine.deps.policies,
  )
  const denial = denialIn(rulings)
  if (denial !== undefined) return notAllowed(denialRefusal(tool, denial.reason), rulings)
  // A tool that was not offered in this step never runs, even if a policy or a group would allow it by now.
  const { policy, node, reason } = because
  const standing: Ruled = { policy, node, verdict: 'deny', reason }
  return notAllowed(denialRefusal(tool, reason), [...rulings, standing])
}

function notAllowed(refusal: Refusal, rulings: readonly Ruled[] = []): Judged {
  return { runs: false, rulings, refusal }
}

function refusalBy(tool: BoundTool, rulings: readonly Ruling[]): Refusal | undefined {
  for (const { verdict, reason } of rulings) {
    switch (verdict) {
      case 'deny':
        return denialRefusal(tool, reason)
      case 'confirm':
        break
      case 'limit':
        return limitRefusal(tool, reason)
      default:
        verdict satisfies never
    }
  }
  return undefined
}

function limitRefusal({ name, node }: Pick<Refusal, 'name' | 'node'>, reason: string): Refusal {
  return { status: 'skipped', code: 'limit', message: `This call was not run: ${reason}.`, name, node }
}

function denialRefusal({ name, node }: BoundTool, reason: string): Refusal {
  return { status: 'denied', code: 'denied', message: `${name} is not permitted: ${reason}.`, name, node }
}

function unfit({ name, node }: BoundTool, invalid: InvalidCall | undefined): Refusal {
  const { code, message } = invalid ?? { code: 'args_json', message: 'The arguments could not be read.' }
  return { status: 'error', code, message, name, node }
}

/** The number of names in the message; the nearest come first. */
const maxNames = 50

function unknown(name: string, engine: Judging): Refusal {
  const why = whyGone(name, engine.offering.set.withheld)
  const message = `There is no tool named "${name.slice(0, 200)}"${why}. ${offeredNames(engine, name)}`
  return { status: 'error', code: 'unknown_tool', message, name, node: null }
}

/** Why a tool is not there that its toolkit has listed, or would list. */
function whyGone(name: string, withheld: readonly Withheld[]): string {
  const wire = wireForm(name)
  const found = withheld.find((each) => {
    const form = wireForm(each.name)
    return form === wire || (each.name.endsWith('.*') && wire.startsWith(form.slice(0, -1)))
  })
  return found === undefined ? '' : ` now: ${found.reason}`
}

function nameless(engine: Judging): Refusal {
  const message = `Invalid function call format: the call names no tool. ${offeredNames(engine, '')}`
  return { status: 'error', code: 'invalid_call', message, name: '', node: null }
}

function offeredNames({ offering }: Pick<Judging, 'offering'>, wanted: string): string {
  const { offered } = offering.set
  if (offered.length === 0) return 'No tools are offered.'
  const names = nearestFirst(
    wanted,
    offered.map((tool) => tool.name),
  )
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : ''
  return `Tools offered: ${names.slice(0, maxNames).join(', ')}${more}.`
}

/** The run's budget is used up: the call is skipped, with a ruling of its own. */
export function overBudget(call: CallState, reason: string): Refusal {
  return limitRefusal(call, reason)
}

/** The call waited for the longest allowed time for a place among all calls at work. */
export function busyRefusal(call: CallState, { name }: BoundTool): Refusal {
  const minutes = longestWaitMs / 60_000
  const message = `The server was busy with other calls for ${minutes} minutes, so this call did not run. Try again later.`
  return { status: 'error', code: 'busy', message, name, node: call.node }
}

/** The arguments hold a secret whose original is no longer kept, as in a fork. The body must not get a placeholder. */
export function secretLostRefusal({ status }: CallState, { name, node }: BoundTool): Refusal {
  const had = status === 'running' ? 'This call did not end: the' : 'This call was not run: the'
  const message = `${had} secret in its arguments is no longer kept, and ${secretMask} is not its value.`
  return { status: 'error', code: 'secret_lost', message, name, node }
}

/** A person has replied to the questions of the call, but its tool is no longer offered. */
export function toolGoneRefusal(call: CallState): Refusal {
  const message = `${call.name} is no longer there, so this call could not go on with the replies to its questions.`
  return { status: 'error', code: 'unknown_tool', message, name: call.name, node: call.node }
}

/** The body had begun when the server stopped, and never runs again. */
export function lostRefusal(call: CallState): Refusal {
  const asked = call.inputs?.some(({ given }) => given?.by === 'restart') === true
  const when = asked ? 'this call waited for a person’s answer' : 'this call ran'
  const message = `The server stopped while ${when}: it may or may not have happened. Check before you repeat it.`
  return { status: 'unknown', code: 'unknown', message, name: call.name, node: call.node }
}

/** The body ran in the background when the run was forked, and its result belongs to the other run. */
export function forkedRefusal(call: CallState): Refusal {
  const message =
    'This call was still running when the run was forked, so its result is not known here. Check before you repeat it.'
  return { status: 'unknown', code: 'unknown', message, name: call.name, node: call.node }
}

/** The run ends: calls that had begun are interrupted, the rest are skipped. */
export function droppedReason(call: CallState, why: string): Refusal {
  if (call.startedAt !== undefined) {
    const message = `This call was interrupted, since ${why}; it may or may not have happened.`
    return { status: 'interrupted', code: 'interrupted', message, name: call.name, node: call.node }
  }
  return {
    status: 'skipped',
    code: 'skipped',
    message: `This call was not run, since ${why}.`,
    name: call.name,
    node: call.node,
  }
}

/** The request to a person, with the earliest time at which it is decided without them. */
export function approvalRequestedEvent(
  call: CallState,
  { tool, shown, rulings }: Extract<Judged, { runs: 'asks' }>,
  now: number,
): EventBody {
  const limits = rulings.flatMap(({ expires }) => (expires === undefined ? [] : [expires]))
  const seconds = Math.min(...limits.map((each) => each.seconds))
  const isApproval = limits.length > 0 && limits.every(({ after }) => after === 'approve')
  return {
    type: 'approval.requested',
    callId: call.id,
    tool: tool.name,
    args: shown,
    expiresAt: limits.length === 0 ? null : Math.round(now + seconds * 1_000),
    ...(isApproval && { onTimeout: 'approve' }),
  }
}

/** The event that records a ruling. */
export function rulingEvent(
  call: CallState,
  tool: string,
  { policy, node, verdict, reason, ends }: Ruled,
): EventBody {
  return { type: 'policy.ruled', policy, node, tool, callId: call.id, verdict, reason, ...(ends && { ends }) }
}

/** The one result of a call whose body does not run or does not finish, with its output so far. */
export function finishRefused(
  call: CallState,
  { status, code, message, name, node }: Refusal,
): Extract<EventBody, { type: 'call.finished' }> {
  const hasBegun = call.startedAt !== undefined
  const observation = observeError(message, hasBegun ? shownBlocks(call) : [])
  return {
    type: 'call.finished',
    callId: call.id,
    name,
    node,
    status,
    code,
    result: shortenObservation(observation, defaultToolLimits.maxChars),
    durationMs: 0,
    attempts: hasBegun ? 1 : 0,
  }
}
