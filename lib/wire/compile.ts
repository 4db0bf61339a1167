/** Compiling a drawing to a config and decompiling it, on the wire. */
import { z } from 'zod'
import { diagnostic } from '#lib/spec/errors'
import { graphDocument } from '#lib/spec/graph'
import { jsonObject } from '#lib/spec/json'

/** Entry path (`tools/0`) → node id. */
export const origins = z.record(z.string(), z.string())

export const compileRequest = z.strictObject({ graph: graphDocument })
export const compiled = z.strictObject({
  config: jsonObject.nullable(),
  diagnostics: z.array(diagnostic),
  origins,
})
export type CompiledView = z.infer<typeof compiled>

export const decompileRequest = z.strictObject({ config: jsonObject })
export const decompiled = z.strictObject({ graph: graphDocument, diagnostics: z.array(diagnostic) })
export type DecompiledView = z.infer<typeof decompiled>
