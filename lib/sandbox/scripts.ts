/**
 * The sandbox port: runs a script over a copy of a thread's files behind the best wall that holds, and takes what it
 * changed back into the workspace.
 */
import type { SandboxPort, ScriptAnswer, ScriptFault, ScriptRequest } from '#lib/spec/walls'
import { KeptOutput } from './kept-output'
import { changeOf, openStage, type ScriptStage, type StageChange } from './stage'
import { busyMessage, TurnQueue, turnIn } from './turns'
import type { WallChoice } from './walls/choose'
import type { ScriptEnd, ScriptWall } from './walls/wall'

/** Each script may use a gibibyte of memory. */
const maxScripts = 2
/** More than this from one script is not an output any more; it is stopped. */
const floodBytes = 256 * 1024 * 1024

export interface ScriptContext {
  readonly choice: WallChoice
  /** The folder for temporary files; absolute. */
  readonly temporary: string
}

export function createScripts({ choice, temporary }: ScriptContext): SandboxPort {
  const turns = new TurnQueue(maxScripts)

  async function withTurn(
    request: ScriptRequest,
    wall: ScriptWall,
    signal: AbortSignal,
  ): Promise<ScriptAnswer> {
    const turn = await turnIn(turns, signal, request)
    if (turn === 'busy') return refuse('busy', busyMessage())
    if (turn === 'aborted') return refuse('aborted', 'The script was stopped before it began.')
    try {
      const stage = await openStage(request, temporary)
      if (!stage.ok) return refuse('files', stage.message)
      try {
        return await runOver(stage.value, { request, wall, signal })
      } finally {
        await stage.value.remove()
      }
    } catch (error) {
      if (!isSystemFault(error)) throw error
      return refuse(
        'unavailable',
        `The files of the script cannot be kept on the disk just now (${error.code}).`,
      )
    } finally {
      turn()
    }
  }

  return {
    async run(request, signal) {
      const wall = await choice.script(request.kind)
      if ('refusal' in wall) return refuse('unavailable', wall.refusal)
      return withTurn(request, wall, signal)
    },
    async wall(kind) {
      const facts = await choice.facts(kind)
      return 'refusal' in facts ? undefined : facts
    },
  }
}

interface Running {
  readonly request: ScriptRequest
  readonly wall: ScriptWall
  readonly signal: AbortSignal
}

async function runOver(stage: ScriptStage, { request, wall, signal }: Running): Promise<ScriptAnswer> {
  const { kind, source, args, limits, owner, mayWrite, files } = request
  const flood = new AbortController()
  const kept = new KeptOutput({ keptBytes: limits.outputBytes, floodBytes }, request.output)
  const job = {
    kind,
    source,
    ...(args && { args }),
    folder: stage.folder,
    scratch: stage.scratch,
    readable: stage.readable,
    limits,
    ...(owner !== undefined && { owner }),
    output: (chunk: Uint8Array, from: 'stdout' | 'stderr') => {
      if (!kept.add(chunk, from)) flood.abort()
    },
  }
  const end = await wall.run(job, AbortSignal.any([signal, flood.signal]))
  const about = { output: kept.output, usage: end.usage, wall: wall.facts }
  if (flood.signal.aborted) return { ...refuse('output', flooded), ...about }
  if (!end.ended) return { ...refuse(end.code, end.message), ...about }
  const change = await changeOf(stage)
  if (!change.ok) return { ...refuse('files', change.message), ...about }
  if (mayWrite) {
    const taken = await files.takeFrom(stage.folder, change.value)
    if (!taken.ok)
      return { ...refuse('files', `None of the changed files were kept: ${taken.message}`), ...about }
  }
  return { ...answerOf(end, mayWrite ? change.value : nothing), ...about }
}

const flooded = `The script printed more than ${floodBytes / 1024 / 1024} MiB and was stopped. None of its changes were kept.`
const nothing: StageChange = { files: [], folders: [], removed: [], ignored: 0 }

function answerOf({ exitCode, value }: Extract<ScriptEnd, { ended: true }>, change: StageChange) {
  const { files, removed, ignored } = change
  return {
    ok: true as const,
    exitCode,
    ...(value !== undefined && { value }),
    changed: files,
    removed,
    ignored,
  }
}

function refuse(code: ScriptFault, message: string) {
  return { ok: false as const, code, message }
}

function isSystemFault(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
