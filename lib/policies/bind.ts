/**
 * Creates a run's policies from the entries of a config, with parsed settings and the path of their entry.
 */
import type { PolicyEntry } from '#lib/spec/config'
import { matchesAny } from '#lib/spec/glob'
import type { BoundPolicy, Policy } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import { approval } from './approval'

/**
 * Binds the entries in their order; `node` is `policies/<index>`. The config has already been checked, so an
 * entry with an unknown policy or invalid settings is a bug and throws.
 * `appliesTo` is passed on but not applied here, because limits do not know tools: the caller matches it
 * against the tool's `scopeName`.
 * Policies that apply without an entry come last, with `agent` as their node.
 */
export function bindPolicies(entries: readonly PolicyEntry[], policies: readonly Policy[]): BoundPolicy[] {
  const byId = new Map(policies.map((each) => [each.id, each]))
  const lastOf = new Map(entries.map(({ use }, index) => [use, index]))
  const bound = entries.map((entry, index) => {
    const policy = byId.get(entry.use)
    if (policy === undefined) throw new Error(`policies/${index}: no policy is called "${entry.use}"`)
    const one = bind(policy, entry, `policies/${index}`)
    return policy.lastWins === true && lastOf.get(entry.use) !== index ? { ...one, stages: [] } : one
  })
  return [
    ...bound,
    ...policies.filter((each) => each.implied === true).map((each) => implyForOthers(each, bound)),
  ]
}

/**
 * Adds an approval, as if the agent had one with its defaults, for those tools that ask first and that no entry of
 * the policy `approval` covers.
 */
export function withAskedFirst(
  bound: readonly BoundPolicy[],
  tools: readonly Pick<BoundTool, 'scopeName' | 'asksFirst'>[],
): readonly BoundPolicy[] {
  const entries = bound.filter(({ use }) => use === approval.id)
  const names = tools.flatMap(({ asksFirst, scopeName }) => {
    const isCovered = entries.some(
      ({ appliesTo }) => appliesTo === undefined || matchesAny(appliesTo, scopeName),
    )
    return asksFirst === true && !isCovered ? [scopeName] : []
  })
  if (names.length === 0) return bound
  return [...bound, bind(approval, { use: approval.id, appliesTo: names }, 'agent')]
}

function bind(policy: Policy, { use, appliesTo, ...given }: PolicyEntry, node: string): BoundPolicy {
  const settings = policy.settings.parse(given)
  return bindParsed(policy, settings, { use, node, appliesTo })
}

/** Goes before the path of an entry in the config of the agent that has called this one. */
const callers = 'caller/'

/** Whether a policy with this place belongs to an agent around the one that it rules on. */
export const isOfCaller = (node: string): boolean => node.startsWith(callers)

function bindParsed(
  policy: Policy,
  settings: Parameters<NonNullable<Policy['limit']>>[0],
  { use, node, appliesTo }: Pick<PolicyEntry, 'use'> & { node: string; appliesTo: string[] | undefined },
): BoundPolicy {
  const held = policy.inside?.(settings)
  const path = isOfCaller(node) ? node : `${callers}${node}`
  return {
    use,
    node,
    ...(appliesTo === undefined ? {} : { appliesTo }),
    ...(policy.source === undefined ? {} : { source: policy.source }),
    stages: policy.stages ?? [],
    rule: (stage, question) => policy.rule?.(settings, stage, question),
    limit: (limits) => policy.limit?.(settings, limits),
    limitTool: (limits) => policy.limitTool?.(settings, limits),
    ...(policy.hook && { hook: policy.hook(settings) }),
    ...(held && { inside: () => bindParsed(policy, held, { use, node: path, appliesTo }) }),
  }
}

/** Rules on every tool that no entry of the same policy covers. */
function implyForOthers(policy: Policy, entries: readonly BoundPolicy[]): BoundPolicy {
  const said = entries.filter(({ use }) => use === policy.id)
  const one = bind(policy, { use: policy.id }, 'agent')
  return {
    ...one,
    rule(stage, question) {
      const { scopeName } = question.tool
      const isSaid = said.some(({ appliesTo }) => appliesTo === undefined || matchesAny(appliesTo, scopeName))
      return isSaid ? undefined : one.rule(stage, question)
    },
    limit() {},
    limitTool() {},
  }
}
