/**
 * The one policy function, asked twice: when tools are offered to the model, and when a call is about to run.
 */
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import type { InvalidCall } from '#lib/spec/message'
import { type BoundPolicy, type PolicyQuestion, type Ruling, type Stage, stages } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import { misfit } from '../fit/misfit'
import { covers } from '../limits'
import type { PastOf } from '../state/past'

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
  /** Names of offered tools for which a person is asked before each call, whatever the arguments. */
  readonly asks: ReadonlySet<string>
  readonly withheld: Withheld[]
}

const known = new WeakMap<readonly BoundTool[], WeakMap<readonly BoundPolicy[], Offer>>()

/**
 * Of two tools with one name the first is used. Policies are pure, so the same lists, which the runs of one version
 * share, always give the same offer; it is made once for them.
 */
export function offer(tools: readonly BoundTool[], policies: readonly BoundPolicy[]): Offer {
  const byPolicies = known.get(tools) ?? new WeakMap<readonly BoundPolicy[], Offer>()
  known.set(tools, byPolicies)
  const made = byPolicies.get(policies) ?? makeOffer(tools, policies)
  byPolicies.set(policies, made)
  return made
}

function makeOffer(tools: readonly BoundTool[], policies: readonly BoundPolicy[]): Offer {
  const offered: BoundTool[] = []
  const withheld: Withheld[] = []
  const asks = new Set<string>()
  const seen = new Set<string>()
  for (const tool of tools) {
    if (seen.has(tool.name)) continue
    seen.add(tool.name)
    const { rulings } = ask({ tool, policies, question: () => ({ moment: 'offer', tool }) })
    const denial = denialIn(rulings)
    if (denial !== undefined) {
      const { policy, node, reason } = denial
      withheld.push({ name: tool.name, entry: tool.node, policy, node, reason })
      continue
    }
    offered.push(tool)
    if (rulings.some(({ verdict }) => verdict === 'confirm')) asks.add(tool.name)
  }
  return { offered, withheld, asks }
}

export interface AboutToRun {
  readonly tool: BoundTool
  readonly callId: string
  readonly args: JsonObject
  /** Why the arguments do not fit the tool's schema; absent when they fit. */
  readonly invalid?: InvalidCall
  readonly past: PastOf
  readonly heard?: PolicyListener
}

/** The answer to one question about a call. No ruling, or no `invalid`, means no objection. */
export type PolicyAnswer =
  | { readonly stage: Stage; readonly policy: BoundPolicy; readonly ruling: Ruling | undefined }
  | { readonly stage: 'schema'; readonly invalid: InvalidCall | undefined }

/** Receives each answer, in the order of asking. */
export type PolicyListener = (hearing: PolicyAnswer) => void

export interface Answered {
  /** One denial alone, or all confirmations and limits; only the limits when the arguments do not fit. */
  readonly rulings: readonly Ruled[]
  /** Set when the arguments do not fit and no policy denied the call before they were checked. */
  readonly invalid?: InvalidCall
}

export function rule(call: AboutToRun, policies: readonly BoundPolicy[]): Answered {
  const { tool, callId, args, invalid, past, heard } = call
  const fits = (schema: JsonSchema) => misfit(schema, args)
  return ask({
    tool,
    policies,
    invalid,
    heard,
    question: (policy) => ({ moment: 'call', tool, callId, args, past: past(policy), fits }),
  })
}

export function denialIn<R extends Ruling>(rulings: readonly R[]): R | undefined {
  return rulings.find((each) => each.verdict === 'deny')
}

interface Asked {
  readonly tool: BoundTool
  readonly policies: readonly BoundPolicy[]
  readonly invalid?: InvalidCall | undefined
  readonly heard?: PolicyListener | undefined
  question(policy: BoundPolicy): PolicyQuestion
}

function ask(asked: Asked): Answered {
  const rulings: Ruled[] = []
  for (const stage of stages) {
    if (stage === 'arguments') asked.heard?.({ stage: 'schema', invalid: asked.invalid })
    if (stage === 'arguments' && asked.invalid !== undefined)
      return { rulings: rulings.filter((each) => each.verdict === 'limit'), invalid: asked.invalid }
    for (const policy of asked.policies) {
      const ruling = rulingOf(policy, stage, asked)
      if (ruling === undefined) continue
      const ruled = { ...ruling, policy: policy.use, node: policy.node }
      if (ruling.verdict === 'deny') return { rulings: [ruled] }
      rulings.push(ruled)
    }
  }
  return { rulings }
}

function rulingOf(policy: BoundPolicy, stage: Stage, { tool, question, heard }: Asked): Ruling | undefined {
  if (!policy.stages.includes(stage) || !covers(policy, tool)) return undefined
  const ruling = policy.rule(stage, question(policy))
  heard?.({ stage, policy, ruling })
  return ruling
}
