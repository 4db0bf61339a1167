/**
 * Runs foreign JavaScript as a call: output is progress, the return value is the observation, files are kept.
 */
import type { JsonObject } from './json'
import { keepFiles } from './keep-files'
import type { Block } from './message'
import type { JavascriptAnswer, ScriptFiles } from './sandbox'
import { metadataOf } from './script'
import { maxNoteChars, type ToolContext, type ToolOutput } from './tool'

/** The most characters of a source. */
export const maxSourceChars = 262_144

/** The run ends a call at its own time limit. This limit applies where nothing else would end the code. */
const longestMs = 86_400_000

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
  const notes = await keepFiles(answer.written, context)
  const wall = await ports.sandbox.wall('javascript')
  const { usage } = answer
  const metadata = metadataOf({ ...(usage && { usage }), ...(wall && { wall }) })
  const more = {
    ...(told !== '' && { note: told }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
  if (!answer.ok) {
    const { code } = answer
    const message = [answer.message, ...notes].join(' ')
    return {
      ok: false,
      code,
      message,
      ...(code === 'busy' && { retryable: true }),
      ...more,
    }
  }
  const blocks = [blockOf(answer), ...notes.map((text): Block => ({ type: 'text', text }))]
  return { ok: true, blocks, ...more }
}

function blockOf({ value }: Extract<JavascriptAnswer, { ok: true }>): Block {
  if (value === undefined) return { type: 'text', text: '(no output)' }
  return typeof value === 'string' ? { type: 'text', text: value } : { type: 'json', value }
}
