/**
 * The tool `files.create`: writes a new file into the workspace, or replaces an existing one
 * if the call asks for it.
 */
import { z } from 'zod'
import { refuse, text, tool } from '#lib/spec/tool'
import { bytesInWords, contentArgument, inTurn, keepChangedFile, pathArgument, refusalOf } from './files'
import { editorName, fileToolName } from './shared-names'

export const filesCreate = tool({
  name: 'files.create',
  label: 'Create a file',
  group: 'Files',
  keywords: ['write', 'save', 'new'],
  description:
    'Writes a file into the workspace, folders on the way included. The content may be empty. A file that stands is only replaced with overwrite: true; to change a part of it use files.str_replace.',
  icon: 'file-plus',
  aliases: ['create_file'],
  sharedNames: [editorName, fileToolName],
  argumentAliases: { file_path: 'path', file_name: 'path', filename: 'path', file_text: 'content' },
  risk: 'write',
  effect: 'idempotent',
  input: z.object({
    path: pathArgument,
    content: contentArgument('All that the file is to hold; may be empty.'),
    overwrite: z
      .boolean()
      .default(false)
      .meta({ title: 'Overwrite', description: 'Whether a file that stands may be replaced.' }),
  }),
  run: ({ path, content, overwrite }, context) =>
    inTurn(context.ports.files, async () => {
      const { files } = context.ports
      const written = await files.write(path, content, { replace: overwrite })
      if (written.ok) {
        const { created, bytes } = written.value
        const message = `${created ? 'Created' : 'Overwrote'} ${path} (${bytesInWords(bytes)}).`
        return keepChangedFile(context, { path, message })
      }
      if (written.code !== 'exists') return refusalOf(written)
      // The same call may have written the file already and then been cut off before its result.
      const standing = await files.read(path)
      if (standing.ok && Buffer.from(standing.value).equals(Buffer.from(content)))
        return text(`${path} exists already with exactly this content.`)
      const how = 'change it with files.str_replace, or replace it with overwrite: true'
      return refuse(`${path} exists already and was not changed: ${how}.`, 'exists')
    }),
})
