/**
 * Runs foreign JavaScript as a call: output is progress, the return value is the observation, files are kept.
 */
import type { JsonObject } from './json'
import type { Block } from './message'
import type { JavascriptAnswer, ScriptFiles } from './sandbox'
import { maxNoteChars, type ToolContext, type ToolOutput } from './tool'

/** The most characters of a source. */
export const maxSourceChars = 262_144

/** The run ends a call at its own time limit. This limit applies where nothing else would end the code. */
const longestMs = 86_400_000
/** The most files that are kept as artifacts; the others are only in the workspace. */
const maxKept = 100

export interface Script {
  /** The body of an async function of `args`, which also reads `run`. */
  readonly source: string
  readonly args: JsonObject
  /** Whether the code may write files as well as read them. */
  readonly mayWrite: boolean
  /** Whether the code may send notes to the model. Code that a model wrote may not: it has no say beside its result. */
  readonly mayNote?: true
}

export async function runJavascript(
  { source, args, mayWrite, mayNote }: Script,
  context: ToolContext,
): Promise<ToolOutput> {
  const { ports, signal } = context
  const log = (text: string) => context.progress(text)
  const { inLine } = context
  const files: ScriptFiles = mayWrite ? ports.files : { read: (path) => ports.files.read(path) }
  const { id, agent, thread, step } = context.run
  const run = { id, agent: { id: agent.id, name: agent.name }, thread, step }
  let told = ''
  const note = (text: string) => {
    if (told.length <= maxNoteChars) told += told === '' ? text : `\n${text}`
  }
  const request = {
    source,
    args,
    run,
    files,
    timeoutMs: longestMs,
    inLine,
    log,
    ...(mayNote && { note }),
  }
  const answer = await ports.javascript.run(request, signal)
  const notes = await keep(answer.written, context)
  if (!answer.ok) {
    const { code } = answer
    const message = [answer.message, ...notes].join(' ')
    return {
      ok: false,
      code,
      message,
      ...(code === 'busy' && { retryable: true }),
      ...(told !== '' && { note: told }),
    }
  }
  const blocks = [blockOf(answer), ...notes.map((text): Block => ({ type: 'text', text }))]
  return { ok: true, blocks, ...(told !== '' && { note: told }) }
}

function blockOf({ value }: Extract<JavascriptAnswer, { ok: true }>): Block {
  if (value === undefined) return { type: 'text', text: '(no output)' }
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
}

/** Returns notes for the model on files that a person will not find among the artifacts. */
async function keep(written: readonly string[], { ports, created }: ToolContext): Promise<string[]> {
  const notes: string[] = []
  for (const path of written.slice(0, maxKept)) {
    const kept = await ports.files.keep(path)
    if (kept.ok) created(kept.value)
    else notes.push(`"${path}" was not kept for download: ${kept.message}`)
  }
  const more = written.length - maxKept
  if (more > 0) notes.push(`${more} more files were written, and not kept for download.`)
  return notes
}
