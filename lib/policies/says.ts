/** Describes the limits that the policies of a config set. */
import type { PolicyEntry } from '#lib/spec/config'
import type { Policy } from '#lib/spec/policy'

/**
 * One line for a person, and the entry it comes from: `policies/3`, or `agent` for a limit that
 * applies without an entry.
 */
export interface LimitInWords {
  readonly node: string
  readonly text: string
}

/**
 * One line for each entry that sets a limit, in their order. Then one for each policy with default limits,
 * unless an entry of it covers all tools; an entry for some tools leaves the defaults for the others.
 * The config has already been checked, as for `bindPolicies`.
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
