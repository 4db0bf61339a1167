/** Databases that SQL tools may read, on the wire. */
import { z } from 'zod'

export const databaseName = z
  .string()
  .max(64)
  .regex(
    /^[a-z0-9]+([_-][a-z0-9]+)*$/,
    'lowercase letters, digits, single hyphens and underscores, as in "sales-2025"',
  )

/** Registers a SQLite file on the server's machine; it is opened read-only. */
export const registerDatabase = z.strictObject({ name: databaseName, path: z.string().min(1).max(4_096) })
export type RegisterDatabase = z.infer<typeof registerDatabase>

export const databaseView = z.strictObject({
  name: z.string(),
  /** An absolute path; null for a sample that comes with the product. */
  path: z.string().nullable(),
  /** Whether it comes with the product, so that it cannot be removed. */
  sample: z.boolean(),
})
export type DatabaseView = z.infer<typeof databaseView>

export const databaseList = z.strictObject({ items: z.array(databaseView) })
export type DatabaseList = z.infer<typeof databaseList>
