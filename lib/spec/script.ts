/**
 * Runs a script as a call: output is progress, output and exit code are the observation, changed files are kept, and
 * what it used and the wall it ran behind are metadata.
 */
import type { JsonObject } from './json'
import { keepFiles } from './keep-files'
import type { ScriptUsage } from './script-usage'
import type { ToolContext, ToolOutput } from './tool'
import {
  type ScriptAnswer,
  type ScriptOutput,
  type ScriptRequest,
  usualLimits,
  type WallFacts,
} from './walls'

/** The run ends a call at its own time limit. This limit applies where nothing else would end the script. */
const longestMs = 3_600_000

export type ScriptCall = Pick<ScriptRequest, 'kind' | 'source' | 'mayWrite'> &
  Partial<Pick<ScriptRequest, 'args' | 'only' | 'owner' | 'readOnly'>>

/** Runs the script and describes its end for a model. */
export async function runScript(script: ScriptCall, context: ToolContext): Promise<ToolOutput> {
  const answer = await askSandbox(script, context)
  if (!answer.ok) return refusalOf(answer)
  const notes = await keepFiles(answer.changed, context)
  return {
    ok: true,
    blocks: [{ type: 'text', text: [describeEnd(answer), ...notes].join('\n') }],
    metadata: metadataOf(answer),
  }
}

/** Asks the sandbox port on behalf of a call. */
export function askSandbox(script: ScriptCall, context: ToolContext): Promise<ScriptAnswer> {
  const { ports, signal, inLine } = context
  const request: ScriptRequest = {
    ...script,
    files: ports.files,
    limits: { ...usualLimits, timeoutMs: longestMs },
    inLine,
    output: (text) => context.progress(text),
  }
  return ports.sandbox.run(request, signal)
}

/** The refusal of a script that was not run or did not end by itself, with what it had printed. */
export function refusalOf(answer: Extract<ScriptAnswer, { ok: false }>): ToolOutput {
  const { code, message, output } = answer
  const printed = output === undefined ? '' : printedOf(output)
  return {
    ok: false,
    code,
    message: printed === '' ? message : `${message}\nIt had printed:\n${printed}`,
    ...(code === 'busy' && { retryable: true }),
    metadata: metadataOf(answer),
  }
}

function describeEnd({ exitCode, output, ...files }: Extract<ScriptAnswer, { ok: true }>): string {
  const { changed, removed, ignored } = files
  const lines = [`Exit code ${exitCode}.`]
  if (changed.length > 0) lines.push(`Files made or changed: ${listPaths(changed)}.`)
  if (removed.length > 0) lines.push(`Removed: ${listPaths(removed)}.`)
  if (ignored > 0) lines.push(`${ignored} links or special files were not kept.`)
  const printed = printedOf(output)
  return [lines.join(' '), printed === '' ? '(no output)' : printed].join('\n')
}

const mostPaths = 20

function listPaths(paths: readonly string[]): string {
  const shown = paths.slice(0, mostPaths).join(', ')
  return paths.length > mostPaths ? `${shown} and ${paths.length - mostPaths} more` : shown
}

/** The errors after the output, each with a heading where there are both. */
function printedOf({ stdout, stderr, dropped }: ScriptOutput): string {
  const parts = [stdout.trimEnd(), ...(stderr.trim() === '' ? [] : [`Errors:\n${stderr.trimEnd()}`])]
  if (dropped > 0) parts.push(`(${dropped} more bytes were printed and not kept.)`)
  return parts.filter((each) => each !== '').join('\n')
}

interface About {
  readonly exitCode?: number
  readonly usage?: ScriptUsage
  readonly wall?: WallFacts
}

export function metadataOf({ exitCode, usage, wall }: About): JsonObject {
  return {
    ...(exitCode !== undefined && { exitCode }),
    ...(usage && {
      seconds: usage.wallMs / 1_000,
      cpuSeconds: usage.cpuSeconds,
      peakMemoryBytes: usage.peakMemoryBytes,
    }),
    ...(wall && { wall: wallMetadata(wall) }),
  }
}

/** A wall as the metadata of a call has it. */
function wallMetadata({ id, name, strength, promises, gaps }: WallFacts): JsonObject {
  return { id, name, strength, promises: [...promises], gaps: [...gaps] }
}
