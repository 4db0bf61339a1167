/** For tests of plans: calls tools one after the other, with the plan that the calls before have left. */
import type { JsonObject } from '#lib/spec/json'
import type { Plan, PlanBook } from '#lib/spec/plan'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { Tool, ToolContext } from '#lib/spec/tool'

export interface Notebook {
  readonly book: () => PlanBook
  /** What the call answers: its text, or `! ` and the message of its refusal. */
  call(name: string, args: JsonObject): Promise<string>
}

export function openNotebook(tools: readonly Tool[]): Notebook {
  let plan: Plan | undefined
  let past: readonly Plan[] = []
  const context: ToolContext = {
    callId: 'c',
    run: { id: null, agent: { id: null, name: 'tester' }, thread: null, step: 1 },
    inLine: (_, wait) => wait(() => undefined),
    signal: new AbortController().signal,
    now: () => 0,
    progress() {},
    created() {},
    ports: closedPorts,
    plan: {
      read: () => ({ plan, past }),
      async change(change) {
        const made = change({ plan, past })
        if (typeof made === 'string') return made
        if (plan !== undefined && plan.id !== made.id)
          past = [...past.filter(({ id }) => id !== made.id), plan]
        plan = made
        return made
      },
    },
  }
  return {
    book: () => ({ plan, past }),
    async call(name, args) {
      const output = await tools.find((each) => each.name === name)?.run(args, context)
      if (output === undefined) throw new Error(`there is no tool ${name}`)
      if (output.ok === false) return `! ${output.message}`
      if (output.ok !== true) throw new Error(`${name} asks a person`)
      return output.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
    },
  }
}
