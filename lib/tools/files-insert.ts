/** The tool `files.insert`: inserts lines into a text file after a given line. */
import { z } from 'zod'
import { refuse, tool } from '#lib/spec/tool'
import {
  contentArgument,
  countOf,
  inTurn,
  keepChangedFile,
  linesOf,
  pathArgument,
  readText,
  refusalOf,
} from './files'
import { editorName } from './shared-names'

export const filesInsert = tool({
  name: 'files.insert',
  label: 'Insert into a file',
  group: 'Files',
  keywords: ['add', 'edit', 'write', 'append'],
  description:
    'Puts lines into a text file of the workspace, after the line with the number given; 0 puts them before the first.',
  icon: 'between-horizontal-start',
  risk: 'write',
  sharedNames: [editorName],
  argumentAliases: {
    file_path: 'path',
    insert_line: 'line',
    new_str: 'content',
    insert_text: 'content',
    text: 'content',
  },
  input: z.object({
    path: pathArgument,
    line: z
      .int()
      .min(0)
      .meta({ title: 'Line', description: 'The lines stand after this one; 0 for the top.' }),
    content: contentArgument('The lines to put in.'),
  }),
  run: ({ path, line, content }, context) =>
    inTurn(context.ports.files, async () => {
      const { files } = context.ports
      const read = await readText(files, path)
      if ('refusal' in read) return read.refusal
      const lines = linesOf(read.content).length
      if (line > lines)
        return refuse(`${path} has ${countOf(lines, 'line')}: there is no line ${line}.`, 'bad_range')
      const written = await files.write(path, insertLines(read.content, line, content))
      if (!written.ok) return refusalOf(written)
      const count = countOf(Math.max(linesOf(content).length, 1), 'line')
      const where = line === 0 ? 'at the top' : `after line ${line}`
      return keepChangedFile(context, { path, message: `Inserted ${count} into ${path}, ${where}.` })
    }),
})

/** The existing text keeps every byte. A last line without a line end gets one if text follows it. */
function insertLines(text: string, line: number, content: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const at = offsetAfter(text, line)
  const before = text.slice(0, at)
  const gap = line === 0 || /[\r\n]$/.test(before) ? '' : end
  const close = /[\r\n]$/.test(content) ? '' : end
  return before + gap + content + close + text.slice(at)
}

/** The offset after the line with this number. */
function offsetAfter(text: string, line: number): number {
  const ends = /\r\n|\r|\n/g
  for (let passed = 0; passed < line; passed++) if (ends.exec(text) === null) return text.length
  return line === 0 ? bomLength(text) : ends.lastIndex
}

/** A byte order mark stays at the start of the file. */
function bomLength(text: string): number {
  return text.startsWith('\ufeff') ? 1 : 0
}
