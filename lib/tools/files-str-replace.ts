/**
 * The tool `files.str_replace`: replaces one passage of a text file. The passage must occur exactly
 * once, or nothing is changed.
 */
import { z } from 'zod'
import { refuse, type ToolContext, type ToolOutput, tool } from '#lib/spec/tool'
import {
  countOf,
  inTurn,
  keepChangedFile,
  linesOf,
  numberLines,
  pathArgument,
  readText,
  refusalOf,
} from './files'
import { editorName } from './shared-names'

const maxShown = 20
/** The number of lines shown before and after the change. */
const around = 2

export const filesStrReplace = tool({
  name: 'files.str_replace',
  label: 'Replace in a file',
  group: 'Files',
  keywords: ['edit', 'change', 'patch', 'modify', 'write'],
  description:
    'Replaces one passage of a text file. old_text must stand in the file exactly once, spaces and line ends included: give enough of what is around it. An empty new_text deletes the passage.',
  icon: 'replace',
  risk: 'write',
  aliases: ['str_replace_editor'],
  sharedNames: [editorName],
  argumentAliases: { file_path: 'path', old_str: 'old_text', new_str: 'new_text' },
  input: z.object({
    path: pathArgument,
    old_text: z.string().min(1).max(1_048_576).meta({
      title: 'Old text',
      description: 'The passage as it stands.',
      format: 'multiline',
    }),
    new_text: z
      .string()
      .max(1_048_576)
      .meta({ title: 'New text', description: 'What takes its place; may be empty.', format: 'multiline' }),
  }),
  run: (args, context) => inTurn(context.ports.files, () => replace(args, context)),
})

async function replace(
  { path, old_text, new_text }: { path: string; old_text: string; new_text: string },
  context: ToolContext,
): Promise<ToolOutput> {
  const { files } = context.ports
  const read = await readText(files, path)
  if ('refusal' in read) return read.refusal
  const { content } = read
  const fit = fitLineEnds(content, { old: old_text, new: new_text })
  const at = content.indexOf(fit.old)
  if (at < 0)
    return refuse(`The old_text was not found in ${path}. Look at the file with files.view.`, 'no_match')
  const places = placesOf(content, fit.old)
  if (places.length > 1) return refuse(severalIn(path, content, places), 'several_matches')
  if (fit.old === fit.new) return refuse('The old_text and the new_text are the same.', 'no_change')
  const after = content.slice(0, at) + fit.new + content.slice(at + fit.old.length)
  const written = await files.write(path, after)
  if (!written.ok) return refusalOf(written)
  return keepChangedFile(context, {
    path,
    message: describeChange(path, after, { at, length: fit.new.length }),
  })
}

/** A file with Windows line ends differs from the line ends that a model writes. */
function fitLineEnds(content: string, passage: { old: string; new: string }): { old: string; new: string } {
  if (content.includes(passage.old) || !content.includes('\r\n')) return passage
  const windows = (text: string) => text.replace(/\r?\n/g, '\r\n')
  return { old: windows(passage.old), new: windows(passage.new) }
}

function placesOf(content: string, passage: string): number[] {
  const places: number[] = []
  for (let at = content.indexOf(passage); at >= 0; ) {
    places.push(at)
    // A second match may overlap the first. Later overlapping matches are not counted, because
    // that would take too long.
    at = content.indexOf(passage, at + (places.length === 1 ? 1 : passage.length))
  }
  return places
}

function severalIn(path: string, content: string, places: readonly number[]): string {
  let line = 1
  let from = 0
  const lines = places.slice(0, maxShown).map((at) => {
    line += endsIn(content.slice(from, at))
    from = at
    return line
  })
  const more = places.length > maxShown ? ', …' : ''
  const where = `at lines ${lines.join(', ')}${more}`
  return `The old_text occurs in ${path} ${places.length} times (${where}), so nothing was changed. Add lines around the occurrence you mean.`
}

function endsIn(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0
}

/** The changed passage with a few lines around it. */
function describeChange(
  path: string,
  content: string,
  { at, length }: { at: number; length: number },
): string {
  const lines = linesOf(content)
  const first = 1 + endsIn(content.slice(0, at))
  const last = first + endsIn(content.slice(at, at + length))
  const from = Math.max(1, first - around)
  const to = Math.min(lines.length, last + around, from + maxShown - 1)
  const message = `Replaced 1 passage in ${path}, at line ${first}; it has ${countOf(lines.length, 'line')} now.`
  return to < from ? message : `${message}\n${numberLines(lines.slice(from - 1, to), from)}`
}
