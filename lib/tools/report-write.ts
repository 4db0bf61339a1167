/** The tool `report.write`: makes one HTML file of a markdown text and pictures of the workspace. */
import { z } from 'zod'
import { maxDescriptionChars } from '#lib/spec/artifact'
import { metadataOf } from '#lib/spec/script'
import { tool } from '#lib/spec/tool'
import { bytesInWords, countOf, inTurn, keepChangedFile, namelessRefusal, refusalOf } from './files'

const endings = /\.html?$/i

export const reportWrite = tool({
  name: 'report.write',
  label: 'Write a report',
  group: 'Charts and reports',
  keywords: ['report', 'html', 'markdown', 'document', 'summary', 'page', 'export'],
  description:
    'Writes a report into the workspace: one HTML file that opens in every browser and loads nothing. The content is markdown with tables, code and footnotes. Pictures of the workspace are put into the file: ![Revenue by month](charts/revenue.svg). Pictures from addresses are left out, and HTML in the text is shown as it is written.',
  icon: 'file-text',
  walled: 'readers',
  risk: 'write',
  effect: 'idempotent',
  timeoutSeconds: 60,
  aliases: ['write_report', 'create_report', 'report_tool', 'report'],
  argumentAliases: {
    markdown: 'content',
    text: 'content',
    fileName: 'path',
    file_name: 'path',
    filename: 'path',
    fileDescription: 'description',
  },
  draft: 'content',
  samples: ['Write a report on sales.csv with a chart.'],
  input: z.object({
    content: z.string().min(1).max(1_000_000).meta({
      title: 'Content',
      description: 'Markdown. Pictures are named by their path in the workspace.',
      format: 'multiline',
    }),
    title: z.string().trim().min(1).max(300).meta({
      title: 'Title',
      description:
        'The title of the page; it is shown above a text that does not begin with a heading of its own.',
    }),
    path: z.string().min(1).max(4_000).default('report.html').meta({
      title: 'Path',
      description: 'Where the report goes, as in "reports/revenue.html". A file of that name is replaced.',
    }),
    description: z.string().trim().max(maxDescriptionChars).optional().meta({
      title: 'Description',
      description: 'What the report holds, in a sentence: shown beside the file.',
    }),
  }),
  async run({ content, title, path: given, description }, context) {
    const { ports, signal, inLine } = context
    const nameless = namelessRefusal(given, endings, 'reports/revenue.html')
    if (nameless !== undefined) return nameless
    const answer = await ports.reports.make({ title, markdown: content, files: ports.files, inLine }, signal)
    if (!answer.ok) {
      const { code, message } = answer
      return {
        ok: false,
        code,
        message: `${message} No report was written.`,
        ...(code === 'busy' && { retryable: true }),
      }
    }
    const { html, pictures, warnings, wall } = answer.value
    const path = endings.test(given) ? given : `${given}.html`
    return inTurn(ports.files, async () => {
      const written = await ports.files.write(path, html)
      if (!written.ok) return refusalOf(written)
      // Also without one: the report that this one replaces may have left its own.
      ports.files.describe?.(path, description ?? '')
      const { created, bytes } = written.value
      const message = [
        `${created ? 'Wrote' : 'Replaced'} ${path} (${bytesInWords(bytes)}, ${countOf(pictures.length, 'picture')}).`,
        ...(warnings.length > 0 ? ['Warnings:', ...warnings.map((each) => `- ${each}`)] : []),
      ].join('\n')
      const output = await keepChangedFile(context, { path, message })
      return output.ok && wall ? { ...output, metadata: metadataOf({ wall }) } : output
    })
  },
})
