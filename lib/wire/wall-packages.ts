/** On the wire: the programs that can be installed for the sandbox, and installations under way. */
import { z } from 'zod'

const installing = z.strictObject({
  phase: z.enum(['downloading', 'checking', 'unpacking']),
  /** Only known while downloading. */
  bytes: z.number(),
  total: z.number(),
})

const wallPackageView = z.strictObject({
  name: z.enum(['deno', 'pyodide']),
  version: z.string(),
  /** The npm package that it comes from. */
  npm: z.string(),
  downloadBytes: z.number(),
  unpackedBytes: z.number(),
  installed: z.boolean(),
  /** Null while it is not being installed. */
  installing: installing.nullable(),
  /** Why the last installation failed, in one sentence; null when it did not. */
  fault: z.string().nullable(),
})
export type WallPackageView = z.infer<typeof wallPackageView>

export const wallPackageList = z.strictObject({
  /** The host of the registry that npm is set up with; null when npm cannot be run. */
  source: z.string().nullable(),
  /** A package that does not exist for this system is left out. */
  items: z.array(wallPackageView),
})
export type WallPackageList = z.infer<typeof wallPackageList>
