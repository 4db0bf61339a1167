/** Whether a call may run; and if not, its result, in words the model can use. */
import type { CallStatus, EventBody } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import { defaultToolLimits } from '#lib/spec/policy'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from './engine'
import { observeError } from './observe'
import { denialIn, type Ruled, rule } from './offer'

/** A result without a body. */
export interface Refusal {
  readonly status: CallStatus
  readonly code: string
  readonly message: string
  /** The tool's own name, or what the model wrote when there is no such tool. */
  readonly name: string
  /** The tool's entry; null when there is no such tool. */
  readonly node: string | null
}

export type Judged =
  | {
      readonly runs: true
      readonly rulings: readonly Ruled[]
      readonly tool: BoundTool
      readonly args: JsonObject
    }
  | { readonly runs: false; readonly rulings: readonly Ruled[]; readonly refusal: Refusal }

/** How a call that has not begun is to go on: registered, then the policies in their order, arguments at theirs. */
export function judge(engine: Engine, call: CallState): Judged {
  const tool = engine.tool(call.name)
  if (tool === undefined) return judgeHidden(engine, call)
  const standing = denialIn(call.rulings)
  // A denial on record stands; asking again would record it twice.
  if (standing !== undefined) return no(denied(tool, standing.reason))
  if (call.args === undefined) return no(unfit(tool, call.invalid))
  const args = withoutPreset(tool, call.args)
  const { rulings, invalid } = rule({ tool, callId: call.id, args }, engine.deps.policies)
  if (invalid !== undefined) return no(unfit(tool, invalid), rulings)
  const refusal = refusalBy(tool, rulings)
  return refusal === undefined ? { runs: true, rulings, tool, args } : no(refusal, rulings)
}

/** The model cannot know preset arguments, so what it sends for one counts as not sent. */
function withoutPreset({ preset = [] }: BoundTool, args: JsonObject): JsonObject {
  if (!preset.some((key) => Object.hasOwn(args, key))) return args
  return Object.fromEntries(Object.entries(args).filter(([key]) => !preset.includes(key)))
}

/** A tool the model was not offered: withheld, and then ruled on again, or not there at all. */
function judgeHidden(engine: Engine, call: CallState): Judged {
  const hidden = engine.withheld(call.name)
  if (hidden === undefined) return no(unknown(call.name, engine))
  const { tool, because } = hidden
  if (denialIn(call.rulings) !== undefined) return no(denied(tool, because.reason))
  const { rulings } = rule({ tool, callId: call.id, args: call.args ?? {} }, engine.deps.policies)
  // What was not offered never runs, even when it would be allowed by now.
  return no(denied(tool, denialIn(rulings)?.reason ?? because.reason), rulings)
}

function no(refusal: Refusal, rulings: readonly Ruled[] = []): Judged {
  return { runs: false, rulings, refusal }
}

function refusalBy(tool: BoundTool, rulings: readonly Ruled[]): Refusal | undefined {
  for (const { verdict, reason } of rulings) {
    switch (verdict) {
      case 'deny':
        return denied(tool, reason)
      case 'confirm':
        return denied(tool, `${reason}; nobody can be asked in this run`)
      case 'limit':
        return {
          status: 'skipped',
          code: 'limit',
          message: `Not run: ${reason}.`,
          name: tool.name,
          node: tool.node,
        }
      default:
        verdict satisfies never
    }
  }
  return undefined
}

function denied({ name, node }: BoundTool, reason: string): Refusal {
  return { status: 'denied', code: 'denied', message: `${name} is not permitted: ${reason}.`, name, node }
}

function unfit({ name, node }: BoundTool, invalid: InvalidCall | undefined): Refusal {
  const { code, message } = invalid ?? { code: 'args_json', message: 'The arguments could not be read.' }
  return { status: 'error', code, message, name, node }
}

function unknown(name: string, { offer: { offered } }: Engine): Refusal {
  const names = offered.map((tool) => tool.name).join(', ')
  const hint = names === '' ? 'No tools are offered.' : `Tools offered: ${names}.`
  return {
    status: 'error',
    code: 'unknown_tool',
    message: `There is no tool named "${name}". ${hint}`,
    name,
    node: null,
  }
}

/** The body had begun when the server stopped, and is never begun again. */
export function lost(call: CallState): Refusal {
  const message =
    'The server stopped while this call ran: it may or may not have happened. Check before you repeat it.'
  return { status: 'unknown', code: 'unknown', message, name: call.name, node: call.node }
}

/** The run goes no further: what had begun was broken off, the rest is left out. */
export function dropped(call: CallState, why: string): Refusal {
  if (call.status === 'running') {
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

/** The one result of a call whose body does not run, or not to its end. */
export function refused(call: CallState, { status, code, message, name, node }: Refusal): EventBody {
  return {
    type: 'call.finished',
    callId: call.id,
    name,
    node,
    status,
    code,
    result: observeError(message, defaultToolLimits.maxChars),
    durationMs: 0,
    attempts: call.status === 'running' ? 1 : 0,
  }
}
