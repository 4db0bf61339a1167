/**
 * The walls for shell scripts where the system has none: just-bash, an interpreter with commands of its own, in a child
 * process that has its program and the folder of the script and nothing else, by Deno or by Node.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { tryParseJson } from '#lib/spec/json'
import type { WallFacts, WallTest } from '#lib/spec/walls'
import { killGroup } from '../child-end'
import { type Child, type Confinement, childOrNone, childProgram, startChild } from '../children'
import { Lines } from '../lines'
import { listenLocally } from '../local-listener'
import { writingPermissions } from '../node-permissions'
import { fromShell } from '../shell-said'
import { type FromShell, maxShellLineBytes, type ToShell } from '../shell-wire'
import type { WallProbe } from '../wall-probe'
import { denoMissing, denoRuntime, findDeno } from './deno'
import type { ScriptEnd, ScriptJob, ScriptWall, WallContext } from './wall'
import { type Overuse, Watch } from './watch'

const promises = [
  'sees only a copy of the workspace',
  'starts no program of this machine',
  'no environment variables of the server',
  'limits on time, memory, output and disk',
]
const late = 'output comes only when the script ends'

export const denoJustBashFacts: WallFacts = {
  id: 'deno-just-bash',
  name: 'just-bash in Deno',
  strength: 'runtime',
  promises: ['no network', ...promises],
  gaps: ['no wall of the operating system around the runtime', late],
}

export const justBashFacts: WallFacts = {
  id: 'just-bash',
  name: 'just-bash',
  strength: 'process',
  promises,
  gaps: ['the system does not close the network, though no command reaches it', late],
}

const program = 'shell-child'

/** What takes every right from the child but those to these folders; undefined where that cannot be had. */
type Confine = (folder: string, readable: readonly string[]) => Confinement | undefined

/** The weakest wall, which every machine has. */
export function createJustBash(context: WallContext): ScriptWall {
  return wallOf(justBashFacts, context, (folder, readable) => ({
    permissions: writingPermissions(childProgram(program), folder, readable),
  }))
}

export function createDenoJustBash(context: WallContext): ScriptWall {
  const { installed } = context
  const wall = wallOf(denoJustBashFacts, context, (folder, readable) => {
    const deno = findDeno(installed)
    return deno === undefined ? undefined : { runtime: denoRuntime({ deno, readable, writable: folder }) }
  })
  const test = async () => (findDeno(installed) === undefined ? denoMissing : wall.test())
  return { ...wall, test }
}

function wallOf(facts: WallFacts, { temporary }: WallContext, confine: Confine): ScriptWall {
  const running = new Set<() => void>()
  return {
    facts,
    test: () => testWall({ temporary, confine, isClosed: facts.promises.includes('no network') }),
    run: (job, signal) => runJob(job, { confine, running, signal }),
    close() {
      for (const end of running) end()
    },
  }
}

type NotStarted = Extract<ScriptEnd, { ended: false }>

interface Started {
  readonly child: Child
  kill(): void
}

/** Starts the child with the right to the folder and to nothing else but its program. */
function start(
  { folder, readable = [], limits }: Pick<ScriptJob, 'folder' | 'readable' | 'limits'>,
  confine: Confine,
): Started | NotStarted {
  const confinement = confine(
    folder,
    readable.map(([outside]) => outside),
  )
  if (confinement === undefined) return notStarted(noDeno)
  const { memoryMiB, diskMiB, timeoutMs } = limits
  const bounds = {
    memoryMiB,
    heapMiB: Math.max(64, Math.floor(memoryMiB / 2)),
    cpuSeconds: Math.ceil(timeoutMs / 1_000) + 5,
    fileMiB: diskMiB,
    ...confinement,
  }
  const child = childOrNone(() => startChild(program, [], bounds))
  if (child === undefined) return notStarted('The process that runs scripts could not be started.')
  // Writing to a child that has ended fails; its exit gives the reason.
  child.stdin.on('error', () => undefined)
  return { child, kill: () => killGroup(child) }
}

function ask({ child }: Started, asked: ToShell): void {
  child.stdin.write(`${JSON.stringify(asked)}\n`)
}

/** Calls `hear` with each message, and `end` once every process has ended. */
function listen(
  started: Started,
  hear: (said: FromShell) => void,
  end: (killedBy: string | null) => void,
): void {
  const lines = new Lines(maxShellLineBytes)
  const { child, kill } = started
  child.stdout.on('data', (chunk: Buffer) => {
    const said = lines.add(chunk)?.map((line) => fromShell.safeParse(tryParseJson(line)).data)
    // A child that breaks the protocol is killed.
    if (said === undefined || said.includes(undefined)) kill()
    else for (const each of said) if (each !== undefined) hear(each)
  })
  child.once('error', () => end('error'))
  child.once('close', (_, signal) => end(signal))
}

function runJob(
  job: ScriptJob,
  { confine, running, signal }: { confine: Confine; running: Set<() => void>; signal: AbortSignal },
): Promise<ScriptEnd> {
  const { folder, scratch, readable, limits, source, output } = job
  return new Promise((resolve) => {
    let stopped: Overuse | 'aborted' | undefined
    let last: Exclude<FromShell, { type: 'output' }> | undefined
    const started = start(job, confine)
    if ('ended' in started) return resolve(started)
    const { child, kill } = started
    const stop = (why: Overuse | 'aborted') => {
      stopped ??= why
      kill()
    }
    const watch = new Watch({
      pid: child.pid ?? 0,
      limits,
      folders: [folder, scratch],
      onOveruse: stop,
    })
    const abort = () => stop('aborted')
    running.add(abort)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
    listen(
      started,
      (said) => {
        if (said.type === 'output') output(Buffer.from(said.base64, 'base64'), said.from)
        else last ??= said
      },
      () => {
        running.delete(abort)
        signal.removeEventListener('abort', abort)
        const usage = watch.stop(last?.type === 'done' ? last : undefined)
        resolve({ ...endOf(last, stopped), usage })
      },
    )
    const memoryBytes = Math.floor((limits.memoryMiB / 2) * 1024 * 1024)
    ask(started, { type: 'run', source, folder, ...(readable && { readable }), memoryBytes })
  })
}

const noDeno = 'Deno is not installed any more. Test the sandbox again under Settings → Sandbox.'

function notStarted(message: string): NotStarted {
  const usage = { wallMs: 0, cpuSeconds: null, peakMemoryBytes: null }
  return { ended: false, code: 'unavailable', message, usage }
}

type EndWithoutUsage = ScriptEnd extends infer E ? (E extends ScriptEnd ? Omit<E, 'usage'> : never) : never

function endOf(
  last: Exclude<FromShell, { type: 'output' }> | undefined,
  stopped: Overuse | 'aborted' | undefined,
): EndWithoutUsage {
  if (stopped === 'aborted') return { ended: false, code: 'aborted', message: 'The script was stopped.' }
  if (stopped !== undefined) return { ended: false, ...stopped }
  if (last?.type === 'done') return { ended: true, exitCode: last.exitCode }
  if (last?.type === 'failed') return { ended: false, code: last.code, message: last.message }
  const message =
    'The script ended the process that ran it, perhaps for lack of memory. None of its changes were kept.'
  return { ended: false, code: 'memory', message }
}

const testLimits = { timeoutMs: 10_000, memoryMiB: 256, processes: 4, outputBytes: 65_536, diskMiB: 16 }

interface Testing {
  readonly temporary: string
  readonly confine: Confine
  /** Whether the wall closes the network. */
  readonly isClosed: boolean
}

/** Runs a script, and lets the process try what the wall forbids. */
async function testWall({ temporary, confine, isClosed }: Testing): Promise<WallTest> {
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const top = await mkdtemp(path.join(temporary, 'wall-'))
  const folder = path.join(top, 'files')
  const scratch = path.join(top, 'scratch')
  const canary = path.join(top, 'canary')
  const listener = await listenLocally()
  try {
    await Promise.all([mkdir(folder), mkdir(scratch), writeFile(canary, 'canary')])
    const job = {
      kind: 'shell',
      source: 'true',
      folder,
      scratch,
      limits: testLimits,
      output: () => undefined,
    } as const
    const end = await runJob(job, { confine, running: new Set(), signal: new AbortController().signal })
    if (!end.ended) return fails(`It does not run a script on this machine. ${end.message}`)
    if (end.exitCode !== 0) return fails('It does not run a script on this machine.')
    const leaks = await probe({ canary, folder, ...(isClosed && { port: listener.port }) }, confine)
    if (leaks === undefined) return fails('Its process did not answer to the test.')
    if (leaks.length > 0) return fails(`Its process is not confined: ${leaks.join(', ')}.`)
    return { holds: true, startMs: end.usage.wallMs }
  } finally {
    listener.close()
    await rm(top, { recursive: true, force: true })
  }
}

function probe(
  probe: WallProbe & { readonly folder: string },
  confine: Confine,
): Promise<readonly string[] | undefined> {
  return new Promise((resolve) => {
    const started = start({ folder: probe.folder, limits: testLimits }, confine)
    if ('ended' in started) return resolve(undefined)
    const timer = setTimeout(started.kill, testLimits.timeoutMs)
    let leaks: readonly string[] | undefined
    listen(
      started,
      (said) => {
        if (said.type === 'probed') leaks = said.leaks
      },
      () => {
        clearTimeout(timer)
        resolve(leaks)
      },
    )
    ask(started, { type: 'probe', probe })
  })
}

function fails(reason: string): WallTest {
  return {
    holds: false,
    reason,
    remedies: ['Run `npm start` again, which repairs an incomplete installation.'],
  }
}
