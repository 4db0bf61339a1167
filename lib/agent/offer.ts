/** The one policy function, asked twice: when tools are offered to the model, and when a call is about to run. */
import type { JsonObject } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import { type BoundPolicy, type Question, type Ruling, stages } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import { checkArgs } from './args'
import { covers } from './limits'

/** A ruling with the policy that gave it. */
export interface Ruled extends Ruling {
  readonly policy: string
  /** The policy's entry: `policies/3`. */
  readonly node: string
}

export interface Withheld {
  readonly name: string
  /** The tool's entry. */
  readonly entry: string
  readonly policy: string
  /** The policy's entry. */
  readonly node: string
  readonly reason: string
}

export interface Offer {
  readonly offered: BoundTool[]
  readonly withheld: Withheld[]
}

/** Of two tools with one name the first stands. */
export function offer(tools: readonly BoundTool[], policies: readonly BoundPolicy[]): Offer {
  const offered: BoundTool[] = []
  const withheld: Withheld[] = []
  const seen = new Set<string>()
  for (const tool of tools) {
    if (seen.has(tool.name)) continue
    seen.add(tool.name)
    const denial = denialIn(ask({ moment: 'offer', tool }, policies).rulings)
    if (denial === undefined) offered.push(tool)
    else {
      const { policy, node, reason } = denial
      withheld.push({ name: tool.name, entry: tool.node, policy, node, reason })
    }
  }
  return { offered, withheld }
}

export interface AboutToRun {
  readonly tool: BoundTool
  readonly callId: string
  readonly args: JsonObject
}

export interface Answered {
  /** One denial and nothing else, or all that confirms and limits. */
  readonly rulings: readonly Ruled[]
  /** Set when no policy denied the call before its arguments were found not to fit. */
  readonly invalid?: InvalidCall
}

export function rule(call: AboutToRun, policies: readonly BoundPolicy[]): Answered {
  return ask({ moment: 'call', ...call }, policies)
}

export function denialIn<R extends Ruling>(rulings: readonly R[]): R | undefined {
  return rulings.find((each) => each.verdict === 'deny')
}

function ask(question: Question, policies: readonly BoundPolicy[]): Answered {
  const rulings: Ruled[] = []
  for (const stage of stages) {
    if (stage === 'arguments' && question.moment === 'call') {
      const invalid = checkArgs(question.tool, question.args)
      if (invalid !== undefined) return { rulings: [], invalid }
    }
    for (const policy of policies) {
      if (!policy.stages.includes(stage) || !covers(policy, question.tool)) continue
      const ruling = policy.rule(stage, question)
      if (ruling === undefined) continue
      const ruled = { ...ruling, policy: policy.use, node: policy.node }
      if (ruling.verdict === 'deny') return { rulings: [ruled] }
      rulings.push(ruled)
    }
  }
  return { rulings }
}
