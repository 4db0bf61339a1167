/** What events record of the tools of a step: those that the model is offered, and those that are withheld. */
import { z } from 'zod'
import { jsonObject } from './json'

/** A tool that the model is offered. */
export const offeredTool = z.strictObject({
  name: z.string(),
  node: z.string(),
  /** A successful call of this tool ends the run. */
  ends: z.literal(true).optional(),
  /** The argument that holds a document in Markdown, which pages show while the model writes it. */
  draft: z.string().optional(),
  /** Other names under which models send that argument. */
  draftAliases: z.array(z.string()).optional(),
  /** The model is not told of the tool, but may call it by its name. */
  hidden: z.literal(true).optional(),
})

/** The tool's definition; absent when it is the one in the config. */
export const toolDefinition = z.strictObject({ description: z.string(), parameters: jsonObject })

/** The tool's entry, and the policy, group or toolkit that withholds it with its own entry. */
export const withheldBy = z.strictObject({
  entry: z.string(),
  policy: z.string(),
  node: z.string(),
  reason: z.string(),
})

/** A toolkit may withhold tools whose names are not known: `github.*`. */
export const withheldTool = z.strictObject({ name: z.string(), ...withheldBy.shape })
