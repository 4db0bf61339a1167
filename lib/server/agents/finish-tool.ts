/** Offers the tool that ends a run when the agent's settings require it. */
import { limitsOf } from '#lib/agent/limits'
import type { AgentConfig } from '#lib/spec/config'
import type { JsonObject, JsonSchema } from '#lib/spec/json'
import type { BoundPolicy } from '#lib/spec/policy'
import { json } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { bindTool } from '#lib/toolkits/entry'
import { finish } from '#lib/tools/finish'

/**
 * Adds `finish` to the tools: the entry's own if there is one, else as the last tool when a
 * policy or the output requires it.
 * When the answer must fit a schema, the arguments of `finish` get that schema.
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

/** The entry that requires it. */
function nodeOf(hasOutput: boolean, policies: readonly BoundPolicy[]): string | undefined {
  if (hasOutput) return 'output'
  if (limitsOf(policies).finish === 'text') return undefined
  return policies.findLast(({ use }) => use === 'finish')?.node
}

/** The key that holds a schema that is not an object, since arguments are always an object. */
const key = 'output'

function withOutputSchema(tool: BoundTool, schema: JsonSchema): BoundTool {
  const isObject = schema.type === 'object'
  return {
    ...tool,
    parameters: isObject ? schema : underKey(schema),
    run: async (args: JsonObject) => json(isObject ? args : (args[key] ?? null)),
  }
}

/** References start at the root of the schema, so the definitions stay there. */
function underKey({ $defs, ...schema }: JsonSchema): JsonSchema {
  const root = { type: 'object', properties: { [key]: schema }, required: [key], additionalProperties: false }
  return $defs === undefined ? root : { ...root, $defs }
}
