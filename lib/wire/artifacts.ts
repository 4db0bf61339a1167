/** Artifacts and the files of a thread, on the wire; contents travel as plain bytes. */
import { z } from 'zod'
import { artifact } from '#lib/spec/artifact'

/** Of one file given along with a question. */
export const maxUploadBytes = 20 * 1024 * 1024

/** `GET /api/threads/:id/files`: what stands in the thread's workspace, sorted by path. */
export const fileList = z.strictObject({
  items: z.array(z.strictObject({ path: z.string(), bytes: z.int().nonnegative() })),
  truncated: z.boolean(),
})
export type FileList = z.infer<typeof fileList>

/** The name a file is given by; in the workspace it gets a plain one that is not taken. */
export const uploadQuery = z.strictObject({ name: z.string().min(1).max(1_000) })

/** `POST /api/threads/:id/files?name=…` answers with it: kept, and standing in the workspace under `path`. */
export const uploaded = artifact
export type { Artifact } from '#lib/spec/artifact'
