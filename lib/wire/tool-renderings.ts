/** The tools of an agent as each format and each service writes them for a model. */
import { z } from 'zod'
import { graphDocument } from '#lib/spec/graph'

export const renderingsRequest = z.strictObject({ graph: graphDocument })

export const toolRendering = z.strictObject({
  /** The protocol: `native`, `xml`, `json`, `json_fence`. */
  format: z.string(),
  /** The provider whose requests look like this; absent for formats in text, which are the same for all. */
  provider: z.string().optional(),
  label: z.string(),
  /** What the model reads of the tool: JSON, or a part of the instructions. */
  text: z.string(),
  /** How the model writes a call in this format, with made-up arguments; absent where the service has its own form. */
  call: z.string().optional(),
})
export type ToolRendering = z.infer<typeof toolRendering>

export const toolRenderings = z.strictObject({
  items: z.array(
    z.strictObject({
      name: z.string(),
      /** The tool's own name, which policies match; another than `name` if its entry renamed it. */
      scopeName: z.string(),
      /** The entry that offers it: `tools/0`. */
      entry: z.string(),
      renderings: z.array(toolRendering),
    }),
  ),
})
export type ToolRenderings = z.infer<typeof toolRenderings>
