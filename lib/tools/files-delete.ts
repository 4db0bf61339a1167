/** The tool `files.delete`: deletes a file or an empty folder of the workspace. */
import { z } from 'zod'
import { text, tool } from '#lib/spec/tool'
import { inTurn, pathArgument, refusalOf } from './files'

export const filesDelete = tool({
  name: 'files.delete',
  label: 'Delete a file',
  group: 'Files',
  keywords: ['remove', 'erase'],
  description: 'Deletes one file of the workspace, or a folder that is empty. It can not be taken back.',
  icon: 'trash-2',
  risk: 'write',
  effect: 'idempotent',
  input: z.object({ path: pathArgument }),
  run: ({ path }, { ports: { files } }) =>
    inTurn(files, async () => {
      const removed = await files.remove(path)
      if (!removed.ok) return refusalOf(removed)
      return text(`Deleted the ${removed.value.kind} ${removed.value.path}.`)
    }),
})
