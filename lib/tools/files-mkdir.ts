/** The tool `files.mkdir`: creates a folder in the workspace. */
import { z } from 'zod'
import { text, tool } from '#lib/spec/tool'
import { pathArgument, refusalOf } from './files'

export const filesMkdir = tool({
  name: 'files.mkdir',
  label: 'Make a folder',
  group: 'Files',
  keywords: ['directory', 'mkdir'],
  description:
    'Makes a folder in the workspace, those above it included. Writing a file makes its folders by itself.',
  icon: 'folder-plus',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({ path: pathArgument }),
  async run({ path }, { ports }) {
    const made = await ports.files.makeFolder(path)
    if (!made.ok) return refusalOf(made)
    return text(made.value.created ? `Made the folder ${path}.` : `The folder ${path} exists already.`)
  },
})
