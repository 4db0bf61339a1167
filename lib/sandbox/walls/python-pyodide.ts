/** Python in Pyodide, inside Deno: the wall for machines where bubblewrap does not hold. */
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { WallFacts } from '#lib/spec/walls'
import { killGroup } from '../child-end'
import { type Child, childOrNone, holdChild, startChild } from '../children'
import { type CallEnd, PythonConversation, resultIn } from '../python-conversation'
import { filesIn, ReturnedFiles } from '../python-folder'
import type { TableReader } from '../python-tables'
import { readAsk } from '../python-wire'
import { WarmChildren } from '../warm-children'
import { denoRuntime, findDeno } from './deno'
import { readTree } from './process-tree'
import { testPyodide } from './python-pyodide-test'
import type { ScriptEnd, ScriptJob, ScriptWall, WallContext } from './wall'
import { installedFolder } from './wall-install'

export const pyodideFacts: WallFacts = {
  id: 'deno-pyodide',
  name: 'Pyodide in Deno',
  strength: 'runtime',
  promises: [
    'no network',
    'no other programs',
    'no variables of the server',
    'no files but copies of those in the workspace',
    'limits on time, memory, output and files',
  ],
  gaps: ['no wall of the operating system around the runtime'],
}

const program = 'python-pyodide-child'
/** What Pyodide takes on top of the memory of the code. */
const pyodideMiB = 512
/** Over the whole life of a warm child. */
const cpuSeconds = 600
/** A child that has used this much gets no further call, so that none runs into the kernel's limit. */
const retireAfterCpuSeconds = 300
const startMs = 60_000

export function createPyodide(context: WallContext, readTables: TableReader): ScriptWall {
  const warm = new WarmChildren<PyodideChild>()
  const running = new Set<PyodideChild>()

  async function run(job: ScriptJob, signal: AbortSignal): Promise<ScriptEnd> {
    const child = warm.take(job.owner) ?? startPyodide(context, job.limits.memoryMiB)
    if (child === undefined)
      return refuse('unavailable', missingPackages(context).length > 0 ? notInstalled : unstarted)
    running.add(child)
    let isReusable = false
    try {
      const end = await runIn(child, { job, signal, readTables, wheels: context.wheels })
      isReusable = end.ended && child.cpuSeconds < retireAfterCpuSeconds
      return end
    } finally {
      running.delete(child)
      if (isReusable) warm.put(job.owner, child)
      else child.kill()
      // One that was kept must not hold the server; the end of one that was not is waited for.
      if (child.isAlive) child.hold('unref')
      else await child.gone
    }
  }

  return {
    facts: pyodideFacts,
    test: () => testPyodide({ temporary: context.temporary, missing: missingPackages(context) }, run),
    run,
    close() {
      warm.close()
      for (const child of running) child.kill()
    },
  }
}

const notInstalled = 'Deno and Pyodide are not installed. Settings → Sandbox installs them.'
const unstarted = 'Pyodide could not be started.'
const noUsage = { wallMs: 0, cpuSeconds: null, peakMemoryBytes: null }

type Failure = Extract<ScriptEnd, { ended: false }>

function refuse(code: Failure['code'], message: string): Failure {
  return { ended: false, code, message, usage: noUsage }
}

/** What is missing of Deno and Pyodide. */
export function missingPackages({
  installed,
}: Pick<WallContext, 'installed'>): readonly ('deno' | 'pyodide')[] {
  return [
    ...(findDeno(installed) === undefined ? (['deno'] as const) : []),
    ...(existsSync(path.join(installedFolder(installed, 'pyodide'), 'pyodide.mjs'))
      ? []
      : (['pyodide'] as const)),
  ]
}

/** A process with Pyodide. Its creator must kill it. */
class PyodideChild {
  readonly conversation: PythonConversation
  /** Resolves when the process has ended, with the signal that ended it. */
  readonly gone: Promise<NodeJS.Signals | null>
  isReady = false
  private isGone = false
  private isKilled = false

  constructor(private readonly process: Child) {
    const { stdin, stdout } = process
    this.conversation = new PythonConversation({ stdin, frames: stdout, kill: () => this.kill() })
    this.gone = new Promise((resolve) => {
      const end = (signal: NodeJS.Signals | null) => {
        this.isGone = true
        resolve(signal)
      }
      process.once('error', () => end(null))
      process.once('close', (_, signal) => end(signal))
    })
  }

  get isAlive(): boolean {
    return !this.isGone && !this.isKilled && this.conversation.isAlive
  }

  get cpuSeconds(): number {
    return this.use?.cpuSeconds ?? 0
  }

  /** Nothing on systems that do not report it. */
  get use() {
    const { pid } = this.process
    return pid === undefined ? undefined : readTree(pid, 4)
  }

  kill(): void {
    this.isKilled = true
    killGroup(this.process)
  }

  /** An idle child must not keep the server process alive. */
  hold(how: 'ref' | 'unref'): void {
    holdChild(this.process, how)
  }
}

/** Undefined if Deno or Pyodide is missing, or the system starts no process. */
function startPyodide(context: WallContext, memoryMiB: number): PyodideChild | undefined {
  const deno = findDeno(context.installed)
  if (deno === undefined || missingPackages(context).length > 0) return undefined
  // Its program names files by their real paths.
  const folder = realpathSync(installedFolder(context.installed, 'pyodide'))
  const runtime = denoRuntime({ deno, readable: [folder] })
  const bounds = {
    memoryMiB: memoryMiB + pyodideMiB,
    heapMiB: Math.min(memoryMiB, 512),
    cpuSeconds,
    fileMiB: 16,
    runtime,
  }
  const child = childOrNone(() => startChild(program, [folder, String(memoryMiB)], bounds))
  return child && new PyodideChild(child)
}

interface Running {
  readonly job: ScriptJob
  readonly signal: AbortSignal
  readonly readTables: TableReader
  readonly wheels: string | undefined
}

/** Runs one call. The start of the child does not count as its time. */
async function runIn(child: PyodideChild, { job, signal, readTables, wheels }: Running): Promise<ScriptEnd> {
  const isNew = !child.isReady
  const startFault = await becomeReady(child, signal)
  if (startFault !== undefined) return startFault
  if (isNew && wheels !== undefined && existsSync(wheels)) await sendWheels(child, wheels)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), job.limits.timeoutMs)
  const measured = measure(child)
  const returned = new ReturnedFiles(job.limits.diskMiB * 1024 * 1024)
  try {
    for await (const { path: at, content } of filesIn(job.folder))
      await child.conversation.send({ type: 'file', path: at }, content)
    for (const [outside, inside] of job.readable ?? [])
      for await (const { path: at, content } of filesIn(outside))
        await child.conversation.send({ type: 'readable', path: `${inside}/${at}` }, content)
    const handlers = {
      output: job.output,
      readTables,
      file: (at: string, content: Uint8Array) => returned.add(at, content),
      removed: (at: string) => returned.remove(at),
    }
    const over = AbortSignal.any([signal, late.signal])
    const end = await child.conversation.call(readAsk(job), handlers, over)
    const usage = measured()
    if (!end.ended) return { ...(await failureOf(end, { child, job, isLate: late.signal.aborted })), usage }
    const value = resultIn(end.body)
    for (const each of await returned.writeTo(job.folder))
      job.output(Buffer.from(unusableName(each)), 'stderr')
    return { ended: true, exitCode: end.exit, ...(value !== undefined && { value }), usage }
  } finally {
    clearTimeout(timer)
  }
}

/** Pure Python wheels that the operator provides; Pyodide cannot load others. */
async function sendWheels(child: PyodideChild, wheels: string): Promise<void> {
  for await (const { path: name, content } of filesIn(wheels))
    if (name.endsWith('-any.whl') && !name.includes('/'))
      await child.conversation.send({ type: 'wheel', name }, content)
}

/** Waits for a new child; a warm one is ready. */
async function becomeReady(child: PyodideChild, signal: AbortSignal): Promise<Failure | undefined> {
  child.hold('ref')
  if (child.isReady) return undefined
  const late = AbortSignal.timeout(startMs)
  const said = await child.conversation.next(AbortSignal.any([signal, late]))
  child.isReady = typeof said !== 'string' && said.header.type === 'ready'
  if (child.isReady) return undefined
  if (signal.aborted) return refuse('aborted', 'The code was stopped.')
  if (late.aborted) return refuse('unavailable', `Pyodide did not start within ${startMs / 1_000} seconds.`)
  return refuse('unavailable', unstarted)
}

/** Begins to measure; the result says what was used until then. */
function measure(child: PyodideChild) {
  const began = performance.now()
  const before = child.use
  return () => {
    const after = child.use
    return {
      wallMs: Math.round(performance.now() - began),
      cpuSeconds:
        before && after ? Math.max(0, Math.round((after.cpuSeconds - before.cpuSeconds) * 100) / 100) : null,
      peakMemoryBytes: after?.largestPeakBytes ?? null,
    }
  }
}

/** Signals that end a process which asked for more memory than it may have. */
const memorySignals: readonly (NodeJS.Signals | null)[] = [
  'SIGTRAP',
  'SIGABRT',
  'SIGSEGV',
  'SIGILL',
  'SIGKILL',
]

async function failureOf(
  { why }: Extract<CallEnd, { ended: false }>,
  { child, job, isLate }: { child: PyodideChild; job: ScriptJob; isLate: boolean },
): Promise<Failure> {
  if (isLate) {
    const seconds = job.limits.timeoutMs / 1_000
    return refuse(
      'timeout',
      `The code ran longer than ${seconds} seconds and was stopped. None of its changes were kept.`,
    )
  }
  if (why === 'aborted') return refuse('aborted', 'The code was stopped.')
  if (why === 'disk') {
    const message = `The files that the code made or changed are larger than ${job.limits.diskMiB} MiB. None of them were kept.`
    return refuse('disk', message)
  }
  if (why === 'broken')
    return refuse(
      'crashed',
      'The code broke the rules of its process and was stopped. None of its changes were kept.',
    )
  const signal = await child.gone
  if (memorySignals.includes(signal))
    return refuse(
      'memory',
      'The code needed more memory than it may have and was stopped. None of its changes were kept.',
    )
  if (signal === 'SIGXCPU')
    return refuse(
      'timeout',
      'The code used more processor time than it may have and was stopped. None of its changes were kept.',
    )
  return refuse('crashed', 'The code ended the process that ran it. None of its changes were kept.')
}

function unusableName(name: string): string {
  return `The file ${JSON.stringify(name.slice(0, 200))} was not kept: no file of a workspace can have this name.\n`
}
