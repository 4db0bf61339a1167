/** The tool `files.view`: shows a text file of the workspace, or a part of it, with line numbers. */
import { z } from 'zod'
import { refuse, text, tool } from '#lib/spec/tool'
import { countOf, linesOf, numberLines, pathArgument, readText } from './files'

const maxLines = 2_000
const line = z.int().min(1)

export const filesView = tool({
  name: 'files.view',
  label: 'View a file',
  group: 'Files',
  keywords: ['read', 'open', 'show', 'cat', 'lines'],
  description:
    'Shows a text file of the workspace with line numbers. Give start_line and end_line for a part of a long file.',
  icon: 'file-text',
  risk: 'read',
  input: z.object({
    path: pathArgument,
    start_line: line.default(1).meta({ title: 'Start line', description: 'The first line shown.' }),
    end_line: line.optional().meta({
      title: 'End line',
      description: `The last line shown; at most ${maxLines} lines are shown at once.`,
    }),
  }),
  async run({ path, start_line: start, end_line: end }, { ports }) {
    const read = await readText(ports.files, path)
    if ('refusal' in read) return read.refusal
    const lines = linesOf(read.content)
    if (lines.length === 0) return text(`${path} is empty.`)
    const has = `${path} has ${countOf(lines.length, 'line')}`
    if (start > lines.length) return refuse(`${has}: line ${start} is past its end.`, 'bad_range')
    if (end !== undefined && end < start)
      return refuse(`The end line ${end} is before the start line ${start}.`, 'bad_range')
    const last = Math.min(end ?? lines.length, lines.length, start + maxLines - 1)
    const isWhole = start === 1 && last === lines.length
    const head = isWhole ? `${has}:` : `${has}; these are ${start} to ${last}:`
    return text(`${head}\n${numberLines(lines.slice(start - 1, last), start)}`)
  },
})
