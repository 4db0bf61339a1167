/** For tests of questions to people: tools that ask, and a person whose replies are known. */
import type { RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonValue } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import type { Effect, ToolOutput } from '#lib/spec/tool'
import { collect, createRig, createTool, fresh, type Given, said, type ToolStandIn } from '../rig.fixture'
import { openInputsOf } from '../state/input-fold'
import { Decisions, type Replied } from './decisions'

export const question = (inputId: string, more: Partial<InputQuestion> = {}): InputQuestion => ({
  inputId,
  from: 'tool',
  question: `What about ${inputId}?`,
  ...more,
})

export const answer = (text: string): InputReply => ({ action: 'answer', text })

interface AskingGiven {
  readonly effect?: Effect
  readonly state?: JsonValue
  readonly background?: boolean
}

/** A tool whose body ends with these questions, and says the replies when it runs again. */
export function asking(
  name: string,
  questions: readonly InputQuestion[],
  given: AskingGiven = {},
): ToolStandIn {
  const { effect = 'read', state, background } = given
  return createTool(name, {
    effect,
    ...(background && { background }),
    run: (_, { answered }): ToolOutput => {
      if (answered === undefined) return { ok: 'asks', questions, ...(state !== undefined && { state }) }
      return said(JSON.stringify(answered))
    },
  })
}

/** A tool whose body asks while it is at work, one question after another, and says the replies. */
export function askingAtWork(
  name: string,
  questions: readonly InputQuestion[],
  { effect = 'read' }: AskingGiven = {},
): ToolStandIn {
  return createTool(name, {
    effect,
    async run(_, { ask }) {
      const replies: (InputReply | undefined)[] = []
      for (const each of questions) replies.push(await ask?.(each))
      return said(JSON.stringify(replies))
    },
  })
}

export interface Asked {
  readonly state: RunState
  readonly decisions: Decisions
  readonly deps: ReturnType<typeof createRig>['deps']
  readonly model: ReturnType<typeof createRig>['model']
  /** Runs until the run rests or ends; `on` sees each event. */
  run(on?: (event: RunEvent, controller: AbortController) => void): Promise<RunEvent[]>
  /** Replies to a question and runs on, as a later process would. */
  reply(callId: string, inputId: string, reply?: InputReply): Promise<RunEvent[]>
}

export function begin(given: Given): Asked {
  const decisions = new Decisions()
  const { deps, model } = createRig({ ...given, deps: { ...given.deps, decisions } })
  const state = fresh()
  let isBack = false
  const run: Asked['run'] = (on) => {
    const resumed = isBack ? { resumed: 'decided' as const } : {}
    isBack = true
    return collect(deps, { state, ...(on && { on }), ...resumed })
  }
  return {
    state,
    decisions,
    deps,
    model,
    run,
    reply: (callId, inputId, reply = answer('yes')) => {
      decisions.reply({ callId, inputId, by: 'person', ...reply })
      return run()
    },
  }
}

/** The replies of a person to everything that is open now. */
export function repliesTo(state: RunState, reply: InputReply = answer('yes')): Replied[] {
  return [...state.calls.values()].flatMap((call) =>
    openInputsOf(call).map(({ inputId }) => ({ callId: call.id, inputId, by: 'person' as const, ...reply })),
  )
}
