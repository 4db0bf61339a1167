/** The tool `workspace.view`: shows a part of a document of the workspace: lines, pages, or cells of a sheet. */
import { z } from 'zod'
import { tool } from '#lib/spec/tool'
import { pathArgument } from './files'
import { maxLines, viewFile } from './view-file'

const line = z.int().min(1)

export const workspaceView = tool({
  name: 'workspace.view',
  label: 'View a document',
  group: 'Files',
  keywords: [
    'read',
    'open',
    'show',
    'pages',
    'pdf',
    'excel',
    'xlsx',
    'sheet',
    'word',
    'docx',
    'picture',
    'image',
  ],
  description:
    'Shows a file of the workspace: text and CSV with line numbers, the pages of a PDF, a DOCX document, the cells of an XLSX sheet, or a picture. Give start_line and end_line, pages, or sheet and range for a part of a long file.',
  icon: 'file-text',
  walled: 'readers',
  risk: 'read',
  input: z.object({
    path: pathArgument,
    start_line: line.default(1).meta({ title: 'Start line', description: 'The first line shown.' }),
    end_line: line.optional().meta({
      title: 'End line',
      description: `The last line shown; at most ${maxLines} lines are shown at once.`,
    }),
    pages: z
      .string()
      .regex(/^\s*\d{1,5}\s*(-\s*\d{0,5}\s*)?$/, 'Write one page or a range of pages, such as "3" or "2-5".')
      .optional()
      .meta({ title: 'Pages', description: 'Pages of a PDF: "3" or "2-5". The first 20 when left out.' }),
    sheet: z.string().max(200).optional().meta({
      title: 'Sheet',
      description: 'A sheet of an XLSX file by its name. The first visible one when left out.',
    }),
    range: z.string().max(50).optional().meta({
      title: 'Range',
      description: 'Cells of the sheet: "B2:D20". At most 200 rows and 50 columns are shown at once.',
    }),
  }),
  run: viewFile,
})
