/** What the policies of a config limit, in words. */
import type { PolicyEntry } from '#lib/spec/config'
import type { Policy } from '#lib/spec/policy'

/** One line for a person, and the entry that says so: `policies/3`, or `agent` for what holds unsaid. */
export interface LimitInWords {
  readonly node: string
  readonly text: string
}

/**
 * A line for each entry that limits, in their order; then those of policies that limit by their defaults where no entry
 * does: an entry for some tools alone leaves the others to it. As with `bindPolicies` the config has been read before.
 */
export function limitsInWords(
  entries: readonly PolicyEntry[],
  policies: readonly Policy[],
): readonly LimitInWords[] {
  const byId = new Map(policies.map((each) => [each.id, each]))
  const lastOf = new Map(entries.map(({ use }, index) => [use, index]))
  const said = entries.flatMap((entry, index) => {
    const policy = byId.get(entry.use)
    const isIdle = policy?.lastWins === true && lastOf.get(entry.use) !== index
    return policy === undefined || isIdle ? [] : line(policy, entry, `policies/${index}`)
  })
  const whole = new Set(entries.filter((each) => each.appliesTo === undefined).map(({ use }) => use))
  const unsaid = policies
    .filter(({ id, unsaid, implied }) => (unsaid === true || implied === true) && !whole.has(id))
    .flatMap((each) => line(each, { use: each.id }, 'agent'))
  return [...said, ...unsaid]
}

function line(policy: Policy, { use: _, appliesTo, ...given }: PolicyEntry, node: string): LimitInWords[] {
  const text = policy.says?.(policy.settings.parse(given))
  if (text === undefined) return []
  return [{ node, text: appliesTo === undefined ? text : `${text}: ${appliesTo.join(', ')}` }]
}
