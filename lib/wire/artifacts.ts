/** Artifacts and the files of a thread, on the wire; contents travel as plain bytes. */
import { z } from 'zod'
import { artifact, maxDescriptionChars } from '#lib/spec/artifact'

/** The limit for one file attached to a question. */
export const maxUploadBytes = 50 * 1024 * 1024

/** `GET /api/threads/:id/files`: the files in the thread's workspace, sorted by path. */
export const fileList = z.strictObject({
  items: z.array(
    z.strictObject({ path: z.string(), bytes: z.int().nonnegative(), description: z.string().optional() }),
  ),
  truncated: z.boolean(),
})

/** Says what a file of the workspace is, for tools and models; an empty description removes what was said. */
export const describeFile = z.strictObject({ description: z.string().trim().max(maxDescriptionChars) })
export type DescribeFile = z.infer<typeof describeFile>
export type FileList = z.infer<typeof fileList>

/**
 * The name of the uploaded file, and what it is, which tools and models read; in the workspace the file gets a
 * simplified, unused name.
 */
export const uploadQuery = z.strictObject({
  name: z.string().min(1).max(1_000),
  description: z.string().trim().max(maxDescriptionChars).optional(),
})

/** The answer of `POST /api/threads/:id/files?name=…`: the stored file, at `path` in the workspace. */
export const uploaded = artifact
export type { Artifact } from '#lib/spec/artifact'
