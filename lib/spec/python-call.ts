/** How Python code is called in a sandbox, and what comes back: the arguments and the value of a script of this kind. */
import { z } from 'zod'
import { jsonObject, jsonValue } from './json'

export const pythonCall = z.object({
  /** A `script` gives its last expression, a `function` what its function `run(args)` returns. */
  mode: z.enum(['script', 'function']).default('script'),
  args: jsonObject.default({}),
  /** The value of the global `context`: the run, its agent, thread and step. */
  run: jsonObject.default({}),
  /** Whether the code may send notes to the model. */
  mayNote: z.boolean().default(false),
})
export type PythonCall = z.infer<typeof pythonCall>

/** It comes from foreign code: whatever does not fit is no result. */
export const pythonValue = z.object({
  result: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('none') }),
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('json'), value: jsonValue }),
    z.object({
      kind: z.literal('table'),
      columns: z.array(z.string()),
      rows: z.array(z.array(jsonValue)),
      /** Rows that are left out. */
      more: z.int().nonnegative(),
    }),
    /** A traceback. */
    z.object({ kind: z.literal('error'), text: z.string() }),
  ]),
  notes: z.string(),
})
export type PythonValue = z.infer<typeof pythonValue>
