/**
 * Runs foreign Python as a call: output is progress, the last expression or the value of the function is the
 * observation, changed files are kept, and pictures among them are shown.
 */
import type { Artifact } from './artifact'
import type { JsonObject } from './json'
import { keepFiles } from './keep-files'
import type { Block } from './message'
import { type PythonCall, type PythonValue, pythonValue } from './python-call'
import { askSandbox, metadataOf, refusalOf } from './script'
import type { ToolContext, ToolOutput } from './tool'
import type { ReadOnlyFolder, ScriptAnswer, ScriptOutput } from './walls'

export interface PythonScript extends Pick<PythonCall, 'mode' | 'mayNote'> {
  readonly source: string
  readonly args: JsonObject
  /** Whether files that it makes or changes are kept. */
  readonly mayWrite: boolean
  /** The files that it gets; the whole workspace when absent. */
  readonly only?: readonly string[]
  readonly readOnly?: readonly ReadOnlyFolder[]
  /** Calls of the same name in one run may use one warm process. */
  readonly name: string
}

/** The most pictures of one call that are shown. */
const maxPictures = 8

export async function runPython(
  { source, args, mode, mayNote, mayWrite, only, readOnly, name }: PythonScript,
  context: ToolContext,
): Promise<ToolOutput> {
  const { id, agent, thread, step } = context.run
  const run = { id, agent: { id: agent.id, name: agent.name }, thread, step }
  const answer = await askSandbox(
    {
      kind: 'python',
      source,
      args: { mode, args, run, mayNote },
      mayWrite,
      ...(only && { only }),
      ...(readOnly && { readOnly }),
      // Code of one tool never shares a process with that of another, nor with another thread.
      ...(id !== null && thread !== null && { owner: `${thread} ${id} ${name}` }),
    },
    context,
  )
  if (!answer.ok) return refusalOf(answer)
  const pictures: Artifact[] = []
  const created = (artifact: Artifact) => {
    if (/^image\/(png|svg\+xml|jpeg|gif|webp)$/.test(artifact.mediaType)) pictures.push(artifact)
    context.created(artifact)
  }
  const notes = await keepFiles(answer.changed, { ports: context.ports, created })
  return outputOf(answer, { notes, pictures, mayNote })
}

interface Kept {
  /** About files that were not kept. */
  readonly notes: readonly string[]
  readonly pictures: readonly Artifact[]
  readonly mayNote: boolean
}

function outputOf(
  answer: Extract<ScriptAnswer, { ok: true }>,
  { notes, pictures, mayNote }: Kept,
): ToolOutput {
  const read = pythonValue.safeParse(answer.value).data
  const told = mayNote && read !== undefined && read.notes !== '' ? { note: read.notes } : {}
  const metadata = metadataOf(answer)
  const result = read?.result ?? { kind: 'none' as const }
  const files = filesInWords(answer)
  const printed = printedOf(answer.output)
  if (answer.exitCode !== 0 || result.kind === 'error') {
    const reason =
      result.kind === 'error' ? result.text.trimEnd() : `The code ended with exit code ${answer.exitCode}.`
    const message = [
      reason,
      ...(printed === '' ? [] : [`It had printed:\n${printed}`]),
      ...files,
      ...notes,
    ].join('\n')
    return { ok: false, code: 'python_error', message, metadata, ...told }
  }
  const texts = [...(printed === '' ? [] : [printed]), ...resultText(result)]
  const blocks: Block[] = [
    ...texts.map((text): Block => ({ type: 'text', text })),
    ...resultBlocks(result),
    ...pictures.slice(0, maxPictures).map(({ id }): Block => ({ type: 'image', artifact: id })),
    ...[...files, ...notes].map((text): Block => ({ type: 'text', text })),
  ]
  return {
    ok: true,
    blocks: blocks.length > 0 ? blocks : [{ type: 'text', text: '(no output)' }],
    metadata,
    ...told,
  }
}

type Result = PythonValue['result']

function resultText(result: Result): string[] {
  return result.kind === 'text' && result.text !== '' ? [result.text] : []
}

function resultBlocks(result: Result): Block[] {
  switch (result.kind) {
    case 'json':
      return [{ type: 'json', value: result.value }]
    case 'table': {
      const { columns, rows, more } = result
      const rest: Block[] = more === 0 ? [] : [{ type: 'text', text: `(${more} more rows)` }]
      return [{ type: 'table', columns, rows }, ...rest]
    }
    case 'none':
    case 'text':
    case 'error':
      return []
    default:
      return result satisfies never
  }
}

/** Errors after output, and how much was dropped. */
function printedOf({ stdout, stderr, dropped }: ScriptOutput): string {
  const parts = [stdout.trimEnd(), stderr.trimEnd()]
  if (dropped > 0) parts.push(`(${dropped} more bytes were printed and not kept.)`)
  return parts.filter((each) => each !== '').join('\n')
}

const mostPaths = 20

function filesInWords({ changed, removed, ignored }: Extract<ScriptAnswer, { ok: true }>): string[] {
  const list = (paths: readonly string[]) =>
    paths.slice(0, mostPaths).join(', ') +
    (paths.length > mostPaths ? ` and ${paths.length - mostPaths} more` : '')
  return [
    ...(changed.length > 0 ? [`Files made or changed: ${list(changed)}.`] : []),
    ...(removed.length > 0 ? [`Removed: ${list(removed)}.`] : []),
    ...(ignored > 0 ? [`${ignored} links or special files were not kept.`] : []),
  ]
}
