/** Makes a run's policies of the config's entries: settings read, each named by its path. */
import type { PolicyEntry } from '#lib/spec/config'
import type { BoundPolicy, Policy } from '#lib/spec/policy'

/**
 * Binds the entries in their order; `node` is `policies/<index>`. The entries stand in a config that has been read,
 * so one that names no policy or does not fit its schema is a bug and throws. `appliesTo` is carried along,
 * not applied: limits know no tool, so whoever asks matches it against the tool's `scopeName`.
 */
export function bindPolicies(entries: readonly PolicyEntry[], policies: readonly Policy[]): BoundPolicy[] {
  const byId = new Map(policies.map((each) => [each.id, each]))
  return entries.map((entry, index) => {
    const policy = byId.get(entry.use)
    if (policy === undefined) throw new Error(`policies/${index}: no policy is called "${entry.use}"`)
    return bind(policy, entry, `policies/${index}`)
  })
}

function bind(policy: Policy, { use, appliesTo, ...given }: PolicyEntry, node: string): BoundPolicy {
  const settings = policy.settings.parse(given)
  return {
    use,
    node,
    ...(appliesTo === undefined ? {} : { appliesTo }),
    stages: policy.stages ?? [],
    rule: (stage, question) => policy.rule?.(settings, stage, question),
    limit: (limits) => policy.limit?.(settings, limits),
    limitTool: (limits) => policy.limitTool?.(settings, limits),
  }
}
