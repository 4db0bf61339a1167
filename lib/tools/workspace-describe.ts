/** The tool `workspace.describe`: says what a file of the workspace is, for the calls and runs after it. */
import { z } from 'zod'
import { maxDescriptionChars } from '#lib/spec/artifact'
import { refuse, text, tool } from '#lib/spec/tool'
import { pathArgument, refusalOf } from './files'

export const workspaceDescribe = tool({
  name: 'workspace.describe',
  label: 'Describe a file',
  group: 'Files',
  keywords: ['note', 'comment', 'annotate', 'about'],
  description:
    'Notes what a file of the workspace holds, in a sentence. The note is shown beside the file wherever files are listed; an empty note takes it back.',
  icon: 'square-pen',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({
    path: pathArgument,
    description: z.string().trim().max(maxDescriptionChars).meta({
      title: 'Description',
      description: 'What the file holds and where it comes from.',
    }),
  }),
  async run({ path, description }, { ports: { files } }) {
    if (files.describe === undefined) return refuse('Files cannot be described here.', 'unavailable')
    const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
    const listed = await files.list(above, { deep: false })
    if (!listed.ok) return refusalOf(listed)
    const names = path.split('/').filter((name, index) => name !== '.' && (name !== '' || index === 0))
    const entry = listed.value.entries.find((each) => each.path === names.join('/'))
    if (entry === undefined) return refuse(`There is no "${path}" in the workspace.`, 'not_found')
    if (entry.kind === 'folder') return refuse(`"${path}" is a folder.`, 'not_a_file')
    files.describe(entry.path, description)
    return text(description === '' ? `${entry.path} has no description now.` : `${entry.path} is described.`)
  },
})
