/** An artifact: a file a run made or was given, kept as it was at that moment and downloaded by its id. */
import { z } from 'zod'

export const artifact = z.strictObject({
  id: z.string(),
  /** What a person sees and saves it as. */
  name: z.string(),
  /** Where it stands in the thread's workspace; null when it stands nowhere else. */
  path: z.string().nullable(),
  mediaType: z.string(),
  bytes: z.int().nonnegative(),
})
export type Artifact = z.infer<typeof artifact>
