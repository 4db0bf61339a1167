/** The tool `files.search`: searches the text files of the workspace for a text, line by line. */
import { z } from 'zod'
import { matchesGlob } from '#lib/spec/glob'
import type { FilesPort } from '#lib/spec/sandbox'
import { refuse, text, tool } from '#lib/spec/tool'
import { countOf, cutAt, decode, folderArgument, linesOf, refusalOf } from './files'

const maxResults = 100
const longestLine = 200

export const filesSearch = tool({
  name: 'files.search',
  label: 'Search files',
  group: 'Files',
  keywords: ['find', 'grep', 'look'],
  description: `Finds lines that hold a text in the files of the workspace; capitals do not matter. At most ${maxResults} lines are shown as path:line: text.`,
  icon: 'file-search',
  risk: 'read',
  input: z.object({
    query: z
      .string()
      .min(1)
      .max(1_000)
      .meta({ title: 'Query', description: 'The text looked for, as it is; no pattern.' }),
    glob: z.string().min(1).max(256).optional().meta({
      title: 'Glob',
      description: 'Only files that fit, as in "*.csv" or "notes/*"; * stands for anything.',
    }),
    path: folderArgument,
  }),
  async run({ query, glob, path }, { ports: { files }, signal }) {
    const listed = await files.list(path, { deep: true })
    if (!listed.ok) return refusalOf(listed)
    const paths = listed.value.entries
      .filter((each) => each.kind === 'file' && fits(each.path, glob))
      .map((each) => each.path)
    const found: string[] = []
    let unread = 0
    for (const each of paths) {
      if (signal.aborted) return refuse('The search was stopped.', 'aborted')
      const lines = await linesIn(files, each)
      if (lines === undefined) unread += 1
      else found.push(...matches(lines, query, each))
      if (found.length > maxResults) break
    }
    return text(describeMatches(query, { found, files: paths.length, unread }))
  },
})

/** A glob without a slash matches the file name only. */
function fits(path: string, glob: string | undefined): boolean {
  if (glob === undefined) return true
  return matchesGlob(glob, glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1))
}

/** Undefined if the file is too large, not text, or deleted meanwhile. */
async function linesIn(files: FilesPort, path: string): Promise<string[] | undefined> {
  const read = await files.read(path)
  const content = read.ok ? decode(read.value) : undefined
  return content === undefined ? undefined : linesOf(content)
}

function matches(lines: readonly string[], query: string, path: string): string[] {
  const wanted = query.toLowerCase()
  const found: string[] = []
  for (const [index, line] of lines.entries()) {
    const at = line.toLowerCase().indexOf(wanted)
    if (at < 0) continue
    found.push(`${path}:${index + 1}: ${shorten(line, at)}`)
    if (found.length > maxResults) break
  }
  return found
}

/** The part of a long line around the match. */
function shorten(line: string, at: number): string {
  if (line.length <= longestLine) return line
  const from = Math.max(0, Math.min(at - longestLine / 4, line.length - longestLine))
  const head = from === 0 ? '' : '…'
  const part = line.slice(from).replace(/^[\udc00-\udfff]/, '')
  return `${head}${cutAt(part, longestLine)}${from + longestLine < line.length ? '…' : ''}`
}

function describeMatches(
  query: string,
  { found, files, unread }: { found: readonly string[]; files: number; unread: number },
): string {
  const skipped = unread === 0 ? '' : `${countOf(unread, 'file')} of ${files} could not be read as text.`
  const isCut = found.length > maxResults
  const notes = [isCut ? `Only the first ${maxResults} lines are shown; there are more.` : '', skipped]
  const said = notes.filter((each) => each !== '').join(' ')
  if (found.length > 0)
    return [...found.slice(0, maxResults), ...(said === '' ? [] : [`(${said})`])].join('\n')
  return `No line of ${countOf(files, 'file')} contains "${query}".${said === '' ? '' : ` ${said}`}`
}
