/**
 * The tool `files.view`: shows a file of the workspace, or a part of its lines. Its name, description and arguments
 * are those of older configs; `workspace.view` shows other parts of documents.
 */
import { z } from 'zod'
import { tool } from '#lib/spec/tool'
import { pathArgument } from './files'
import { editorName } from './shared-names'
import { maxLines, viewFile } from './view-file'

const line = z.int().min(1)

export const filesView = tool({
  name: 'files.view',
  label: 'View a file',
  group: 'Files',
  keywords: [
    'read',
    'open',
    'show',
    'cat',
    'lines',
    'pdf',
    'excel',
    'xlsx',
    'word',
    'docx',
    'picture',
    'image',
  ],
  description:
    'Shows a text file of the workspace with line numbers. Give start_line and end_line for a part of a long file.',
  icon: 'file-text',
  walled: 'readers',
  risk: 'read',
  sharedNames: [editorName],
  argumentAliases: { file_path: 'path', view_range: ['start_line', 'end_line'] },
  input: z.object({
    path: pathArgument,
    start_line: line.default(1).meta({ title: 'Start line', description: 'The first line shown.' }),
    end_line: line.optional().meta({
      title: 'End line',
      description: `The last line shown; at most ${maxLines} lines are shown at once.`,
    }),
  }),
  run: viewFile,
})
