/** Keeps what hooks decided in the state: folded from events, and read by the loop and by requests. */
import type { EventOf } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState, HookCalled, RunState, StepState } from '#lib/spec/state'
import { questionMessage } from './start'

/** Folds a hook's decision into the state. */
export function hookCalled(state: RunState, event: EventOf<'hook.called'>): RunState {
  const { type: _, seq: __, step: ___, parent: ____, callId, ...called } = event
  if (callId !== undefined) return ofCall(state, callId, called)
  const { on, decision, error, reason } = called
  const step = on === 'pre_reply' || on === 'post_reply' ? undefined : state.steps.at(-1)
  const holder = step ?? state
  holder.hooks ??= []
  holder.hooks.push(called)
  if (called.changed?.question !== undefined) replaceQuestion(state, called.changed.question)
  if (decision === 'deny')
    state.halted ??=
      error === undefined
        ? { code: 'hook_denied', message: `A hook ended the run: ${reason}.` }
        : { code: 'hook_failed', message: `The hook on ${on} failed: ${error}` }
  return state
}

/** The dialogue has what the model reads. People still see what was asked. */
function replaceQuestion(state: RunState, input: string): void {
  state.messages[0] = questionMessage({ ...state.start, input })
}

function ofCall(state: RunState, callId: string, called: HookCalled): RunState {
  const call = state.calls.get(callId)
  if (call === undefined) return state
  call.hooks ??= []
  call.hooks.push(called)
  // The person approved other arguments.
  if (called.changed?.args !== undefined && call.approval?.decided?.decision === 'approve')
    call.approval = undefined
  return state
}

/** The hooks that were asked before the call about its present arguments. */
export function hooksBeforeCall({ hooks = [], hooksBefore = 0 }: CallState): HookCalled[] {
  return hooks.slice(hooksBefore).filter(({ on }) => on === 'pre_acting')
}

/** The arguments that hooks put in place of the call's own; undefined when none did. */
export function hookedArgs(call: CallState): JsonObject | undefined {
  return hooksBeforeCall(call).findLast(({ changed }) => changed?.args !== undefined)?.changed?.args
}

/**
 * The arguments that replaced the model's, and who replaced them; undefined when they are the model's own.
 */
export function changedArgs(
  call: CallState,
): { readonly by: 'hook' | 'person'; readonly args: JsonObject } | undefined {
  const hooked = hookedArgs(call)
  if (hooked !== undefined) return { by: 'hook', args: hooked }
  const args = call.approval?.decided?.args
  return args && { by: 'person', args }
}

/** The question that hooks put in place of the person's; undefined when none did. */
export function hookedQuestion({ hooks = [] }: Pick<RunState, 'hooks'>): string | undefined {
  return hooks.findLast(({ changed }) => changed?.question !== undefined)?.changed?.question
}

/** The instructions that hooks put in place of the agent's; the last one counts. */
export function hookedInstructions(hooks: readonly HookCalled[] = []): string | undefined {
  return hooks.findLast(({ changed }) => changed?.instructions !== undefined)?.changed?.instructions
}

/** The text that hooks before reasoning put in place of the last message's; undefined when none did. */
export function hookedLastMessage({ hooks = [] }: Pick<StepState, 'hooks'>): string | undefined {
  return hooks.findLast(({ changed }) => changed?.lastMessage !== undefined)?.changed?.lastMessage
}

/** What hooks want the model to know; undefined when they have no note. */
export function noteIn(hooks: readonly HookCalled[] = []): string | undefined {
  const notes = hooks.flatMap(({ note }) => (note === undefined ? [] : [note]))
  return notes.length === 0 ? undefined : notes.join('\n\n')
}

/** The answer that hooks put in place of the model's; undefined when none did. */
export function hookedAnswer({ hooks = [] }: Pick<RunState, 'hooks'>): string | undefined {
  return hooks.findLast(({ changed }) => changed?.text !== undefined)?.changed?.text
}

/** A denial by a hook that is on record, but not yet as a ruling. */
export function deniedByHook(call: CallState): HookCalled | undefined {
  const no = hooksBeforeCall(call).find(({ decision }) => decision === 'deny')
  const isRuled = call.rulings.some(({ verdict, node }) => verdict === 'deny' && node === no?.node)
  return isRuled ? undefined : no
}
