/** Withholds the tools of groups that are not active. */
import type { BoundPolicy } from '#lib/spec/policy'
import { equipName } from '#lib/spec/tool'
import type { BoundGroup } from '#lib/spec/toolkit'

/** What rules on tools of inactive groups, as `policy.ruled` and the record of withheld tools name it. */
export const groupRule = 'group'

/** The names of the active groups: those that the thread switched on, or those that begin active. */
export function activeGroups(
  groups: readonly BoundGroup[],
  switched: readonly string[] | undefined,
): string[] {
  const isActive = switched === undefined ? undefined : new Set(switched)
  return groups.filter(({ name, active }) => isActive?.has(name) ?? active).map(({ name }) => name)
}

/** One policy for each inactive group. They count when tools are offered: an offered set is fixed for its step. */
export function groupPolicies(
  groups: readonly BoundGroup[] = [],
  switched?: readonly string[],
): readonly BoundPolicy[] {
  const active = new Set(activeGroups(groups, switched))
  return groups.filter(({ name }) => !active.has(name)).map(inactive)
}

function inactive({ name, node }: BoundGroup): BoundPolicy {
  const way = `${equipName} switches it on with ${JSON.stringify({ [name]: true })}`
  const reason = `its group "${name}" is not active; ${way}, from the next step on`
  return {
    use: groupRule,
    node,
    stages: ['group'],
    rule: (_, { tool }) => (tool.group === name && !tool.core ? { verdict: 'deny', reason } : undefined),
    limit() {},
    limitTool() {},
  }
}
