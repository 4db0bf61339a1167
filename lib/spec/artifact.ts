/**
 * An artifact: a file that a run made or was given, kept as it was at that moment and downloaded by its id.
 */
import { z } from 'zod'
import { pictureSize } from './picture'

/** The most characters of the description of a file. */
export const maxDescriptionChars = 1_000

/** The most bytes that are kept of an observation which is too long for the model. */
export const maxKeptBytes = 5 * 1024 * 1024

export const artifact = z.strictObject({
  id: z.string(),
  /** The name that a person sees, and the file name when it is saved. */
  name: z.string(),
  /** Its path in the thread's workspace; null when it is not in the workspace. */
  path: z.string().nullable(),
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
  /** The size in pixels of a picture whose kind is known. */
  picture: pictureSize.optional(),
  /** What the file is, in the words of whoever gave or made it. */
  description: z.string().optional(),
})
export type Artifact = z.infer<typeof artifact>
