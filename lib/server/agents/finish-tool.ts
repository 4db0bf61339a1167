/** Offers the tool that ends a run where an agent's settings call for it. */
import { limitsOf } from '#lib/agent/limits'
import type { AgentConfig } from '#lib/spec/config'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import type { BoundPolicy } from '#lib/spec/policy'
import { json } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { bindTool } from '#lib/toolkits/entry'
import { finish } from '#lib/tools/finish'

/**
 * The tools with `finish` among them: as an entry has it, else last where a policy or the output calls for it. Where the
 * answer has to fit a schema, its arguments are that schema.
 */
export function withFinish(
  tools: readonly BoundTool[],
  { output }: AgentConfig,
  policies: readonly BoundPolicy[],
): BoundTool[] {
  const node = nodeOf(output !== undefined, policies)
  const isOffered = tools.some(({ name }) => name === finish.name)
  const all =
    isOffered || node === undefined
      ? [...tools]
      : [...tools, bindTool(finish, { use: 'builtin', preset: {} }, node)]
  if (output === undefined) return all
  return all.map((tool) =>
    tool.name === finish.name && tool.ends ? withOutputSchema(tool, output.schema) : tool,
  )
}

/** The entry that calls for it. */
function nodeOf(hasOutput: boolean, policies: readonly BoundPolicy[]): string | undefined {
  if (hasOutput) return 'output'
  if (limitsOf(policies).finish === 'text') return undefined
  return policies.findLast(({ use }) => use === 'finish')?.node
}

/** A schema of no object stands under one key, since arguments are an object. */
const key = 'output'

function withOutputSchema(tool: BoundTool, schema: JsonSchema): BoundTool {
  const isObject = schema.type === 'object'
  return {
    ...tool,
    parameters: isObject ? schema : underKey(schema),
    run: async (args: JsonObject) => json(isObject ? args : (args[key] ?? null)),
  }
}

/** References lead to the root, so what they lead to stays there. */
function underKey({ $defs, ...schema }: JsonSchema): JsonSchema {
  const root = { type: 'object', properties: { [key]: schema }, required: [key], additionalProperties: false }
  return $defs === undefined ? root : { ...root, $defs }
}
