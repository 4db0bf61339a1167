/**
 * The tool `files.upload`: keeps a copy of a workspace file for the user to download, under a chosen name.
 */
import { z } from 'zod'
import type { Artifact } from '#lib/spec/artifact'
import { text, tool } from '#lib/spec/tool'
import { bytesInWords, pathArgument, refusalOf } from './files'

export const filesUpload = tool({
  name: 'files.upload',
  label: 'Hand over a file',
  group: 'Files',
  keywords: ['send', 'give', 'attach', 'export', 'download', 'share'],
  description:
    'Hands a finished file of the workspace to the person for download, as it is now, and returns a link to it that may be used in the answer.',
  icon: 'file-up',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({
    path: pathArgument,
    name: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .meta({ title: 'Name', description: 'What the person saves it as; its own name when left out.' }),
  }),
  async run({ path, name }, { ports, created }) {
    const kept = await ports.files.keep(path, name === undefined ? {} : { name })
    if (!kept.ok) return refusalOf(kept)
    created(kept.value)
    const { mediaType, bytes } = kept.value
    return text(`The person can download ${linkTo(kept.value)} (${mediaType}, ${bytesInWords(bytes)}).`)
  },
})

/** Where files cannot be kept, the user finds the workspace file itself. */
function linkTo({ id, name, path }: Artifact): string {
  return id === path ? path : `[${name.replace(/[[\]]/g, '\\$&')}](/api/artifacts/${id})`
}
