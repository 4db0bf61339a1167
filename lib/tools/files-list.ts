/** The tool `files.list`: lists the entries of the workspace. */
import { z } from 'zod'
import type { FileEntry } from '#lib/spec/sandbox'
import { text, tool } from '#lib/spec/tool'
import { bytesInWords, folderArgument, refusalOf } from './files'

const maxShown = 500

export const filesList = tool({
  name: 'files.list',
  label: 'List files',
  group: 'Files',
  keywords: ['ls', 'dir', 'directory', 'folder'],
  description:
    'Lists the files and folders of the workspace with their sizes, one level or with deep all levels.',
  icon: 'folder-tree',
  risk: 'read',
  samples: ['Which files are in the workspace?'],
  input: z.object({
    path: folderArgument,
    deep: z
      .boolean()
      .default(false)
      .meta({ title: 'Deep', description: 'Whether folders are looked into as well.' }),
  }),
  async run({ path, deep }, { ports }) {
    const described = ports.files.descriptions?.()
    const listed = await ports.files.list(path, { deep })
    if (!listed.ok) return refusalOf(listed)
    const { entries, truncated } = listed.value
    if (entries.length === 0)
      return text(path === '' ? 'The workspace is empty.' : `The folder ${path} is empty.`)
    const shown = entries
      .slice(0, maxShown)
      .map((each) => line(each, described?.get(each.path)))
      .join('\n')
    const more = entries.length - maxShown
    if (more <= 0 && !truncated) return text(shown)
    return text(`${shown}\n… (${truncated ? 'many' : more} more; list one of the folders)`)
  },
})

function line({ path, kind, bytes }: FileEntry, description: string | undefined): string {
  if (kind === 'folder') return `${path}/`
  return `${path} (${bytesInWords(bytes)})${description === undefined ? '' : `: ${description}`}`
}
