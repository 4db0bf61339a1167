/** Holds back most of many tools, for the model to find them with `tools.find`. */
import { matchesAny } from '#lib/spec/glob'
import type { BoundPolicy, DiscoveryLimits } from '#lib/spec/policy'
import { estimateTokens } from '#lib/spec/tokens'
import { equipName, findToolsName, getBackName, type ToolSummary } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { limitsOf } from '../limits'
import type { Withheld } from './offer'

/** What rules on tools that are held back, as `policy.ruled` and the record of withheld tools name it. */
export const discoveryRule = 'discovery'

/**
 * What decides for a config with the policy `discovery` which tools are held back. They count when tools are
 * offered: an offered set is fixed for its step.
 * @param allowed the tools that all other policies offer
 * @param found names of tools that calls found, the latest last
 */
export function discoveryPolicy(
  policies: readonly BoundPolicy[],
  allowed: readonly BoundTool[],
  found: readonly string[] = [],
): BoundPolicy | undefined {
  const entry = policies.findLast(({ use }) => use === discoveryRule)
  const limits = entry && limitsOf([entry]).discovery
  if (entry === undefined || limits === undefined) return undefined
  const stays = isTooMuch(allowed, limits) ? staying(limits, found) : isNoSearch
  return {
    use: discoveryRule,
    node: entry.node,
    stages: ['group'],
    rule: (_, { tool }) => (stays(tool) ? undefined : { verdict: 'deny', reason: reasonFor(tool) }),
    limit() {},
    limitTool() {},
  }
}

/** The search itself is not counted: without the policy it would not be there. */
function isTooMuch(allowed: readonly BoundTool[], { over, overTokens }: DiscoveryLimits): boolean {
  const others = allowed.filter(isNoSearch)
  if (others.length > over) return true
  let tokens = 0
  return others.some((tool) => {
    tokens += tokensOf(tool)
    return tokens > overTokens
  })
}

const known = new WeakMap<BoundTool, number>()

/** What describing a tool to the model takes, estimated. */
function tokensOf(tool: BoundTool): number {
  const { name, description, parameters } = tool
  const tokens = known.get(tool) ?? estimateTokens(name + description + JSON.stringify(parameters))
  known.set(tool, tokens)
  return tokens
}

const isNoSearch = ({ name }: Pick<BoundTool, 'name'>) => name !== findToolsName

const always = new Set([findToolsName, equipName, getBackName])

function staying({ pin }: DiscoveryLimits, found: readonly string[]): (tool: BoundTool) => boolean {
  const isFound = new Set(found)
  return ({ name, scopeName, ends }) =>
    always.has(name) || ends === true || isFound.has(name) || matchesAny(pin, scopeName)
}

function reasonFor(tool: BoundTool): string {
  return isNoSearch(tool)
    ? `it has to be found first; ${findToolsName} finds it, and it can be called from the next step on`
    : 'there are so few tools that all are offered'
}

interface StepTools {
  readonly set: { readonly withheld: readonly Withheld[] }
  /** Every tool known now. */
  readonly known: readonly BoundTool[]
}

/** The tools that are held back in a step with this set. */
export function hiddenTools({ set, known: tools }: StepTools): readonly ToolSummary[] {
  const held = new Set(set.withheld.filter(({ policy }) => policy === discoveryRule).map(({ name }) => name))
  return tools.filter((tool) => held.has(tool.name) && isNoSearch(tool))
}
