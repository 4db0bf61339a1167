/**
 * What an agent may do by its present config: decided by the same policies and the same
 * function as at the start of a run.
 */
import { toolLimitsOf } from '#lib/agent/limits'
import { offerOf } from '#lib/agent/request/offering'
import { toolText } from '#lib/agent/request/request'
import { limitsInWords } from '#lib/policies/says'
import type { Parts } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { estimateTokens } from '#lib/spec/tokens'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Authority } from '#lib/wire/authority'
import type { Assembled } from './assemble'

/**
 * Null when the agent cannot run: a drawing with errors has no config, and a config may
 * name a part this program lacks.
 */
export async function authorityOf(
  config: JsonObject | null,
  assemble: (config: JsonObject) => Promise<Result<Assembled>>,
  parts: Pick<Parts, 'policies'>,
): Promise<Authority | null> {
  const assembled = config === null ? undefined : await assemble(config)
  if (!assembled?.ok) return null
  const { value } = assembled
  const { offered, withheld, asks } = offerOf(value)
  const wires = new Map(value.codec.offered.map(({ name, wire }) => [name, wire]))
  const told = offered.map((tool) => {
    const wire = wires.get(tool.name)
    return {
      name: tool.name,
      wireName: wire?.name ?? tool.name,
      entry: tool.node,
      risk: tool.risk,
      effect: tool.effect,
      timeoutSeconds: timeoutOf(tool, value),
      tokens: wire === undefined ? 0 : estimateTokens(toolText(wire)),
      asks: asks.has(tool.name),
    }
  })
  return {
    offered: told,
    withheld,
    limits: [...limitsInWords(value.config.policies, parts.policies)],
    tokens: {
      system: estimateTokens(value.instructions),
      tools: told.reduce((sum, { tokens }) => sum + tokens, 0),
    },
  }
}

function timeoutOf(tool: BoundTool, { policies: bound }: Assembled): number {
  return Math.min(tool.timeoutSeconds, toolLimitsOf(bound, tool).timeoutSeconds)
}
