/**
 * The wall of the operating system: bubblewrap around a program of this machine. A self-test runs a script inside
 * that tries what the wall forbids.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readlinkSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import type { WallFacts, WallTest } from '#lib/spec/walls'
import { bubblewrapIn, isInSystem } from '../os-sandbox'
import { type BoxedProgram, type BubblewrapBox, type Running, runBoxed } from './bubblewrap-run'
import { limitsProcesses } from './process-group'
import { remediesFor } from './remedies'
import type { ScriptEnd, ScriptJob, ScriptWall, WallContext } from './wall'

export const bubblewrapFacts: WallFacts = {
  id: 'bubblewrap',
  name: 'bubblewrap',
  strength: 'system',
  promises: [
    'no network',
    'sees no other process',
    'sees only the workspace and the system’s programs',
    'changes only the workspace',
    'no environment variables of the server',
    'no privileges',
    'limits on time, memory, processes, output and disk',
  ],
  // Found out when first asked, since it starts a process.
  get gaps() {
    gaps ??= limitsProcesses()
      ? []
      : [
          'processes are only watched, since the server runs as root and may not make control groups: many at once can slow the machine down before they are ended',
        ]
    return gaps
  },
}
let gaps: readonly string[] | undefined

export interface BubblewrapOptions {
  /** Folders that may contain `bwrap`, in the form of PATH. Default: those of the server. */
  readonly search?: string
  /** The program that runs a job, inside; may write to the job's scratch folder. */
  program(job: ScriptJob): Promise<BoxedProgram>
  /** Why there is nothing to run inside, though bubblewrap may work: `python3` is not installed. */
  lacks?(): Promise<Extract<WallTest, { holds: false }> | undefined>
}

/** A wall around one kind of program. */
export function createBubblewrap(context: WallContext, options: BubblewrapOptions): ScriptWall {
  const running: Running = new Set()
  const boxOf = () => findBox(context, options.search ?? process.env.PATH ?? '')
  return {
    facts: bubblewrapFacts,

    async test() {
      const box = await boxOf()
      if (box === undefined) return missing()
      const fault = await testBox(box, context.temporary)
      if (fault !== undefined) return fault
      const lack = await options.lacks?.()
      if (lack !== undefined) return lack
      return { holds: true, startMs: await timeStart(box, context.temporary) }
    },

    async run(job, signal) {
      const box = await boxOf()
      if (box === undefined) return gone
      const program = await options.program(job)
      const readable = [...(program.readable ?? []), ...(job.readable ?? [])]
      return runBoxed(box, { ...program, readable }, { job, running, signal })
    },

    close() {
      for (const end of running) end()
    },
  }
}

const gone: ScriptEnd = {
  ended: false,
  code: 'unavailable',
  message: 'bubblewrap is not on this machine any more. Test the sandbox again under Settings → Sandbox.',
  usage: { wallMs: 0, cpuSeconds: null, peakMemoryBytes: null },
}

function missing(): WallTest {
  const reason =
    process.platform === 'linux' ? 'bubblewrap is not installed.' : 'bubblewrap exists only on Linux.'
  return { holds: false, reason, remedies: remediesFor('missing') }
}

async function findBox({ hidden }: WallContext, search: string): Promise<BubblewrapBox | undefined> {
  const program = bubblewrapIn(search)
  if (program === undefined) return undefined
  const real = await Promise.all(hidden.map((each) => realpath(each).catch(() => each)))
  return { program, hardening: await hardeningOf(program), hidden: real.filter(isInSystem) }
}

const hardenings = new Map<string, Promise<readonly string[]>>()

/** Versions from 0.8 on can keep programs from making user namespaces of their own. */
function hardeningOf(program: string): Promise<readonly string[]> {
  const known = hardenings.get(program)
  if (known !== undefined) return known
  const asking = promisify(execFile)(program, ['--help'], { timeout: 5_000, env: {} as NodeJS.ProcessEnv }) // cast: Next declares NODE_ENV as always present
    .then(({ stdout, stderr }) =>
      `${stdout}${stderr}`.includes('--disable-userns') ? ['--disable-userns'] : [],
    )
    .catch(() => [])
  hardenings.set(program, asking)
  return asking
}

/** The shell of the system: bash if there is one. */
export function systemShell(): string {
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((file) => existsSync(file)) ?? '/bin/sh'
}

const testLimits = { timeoutMs: 10_000, memoryMiB: 256, processes: 16, outputBytes: 65_536, diskMiB: 16 }

/** Runs one program inside over empty folders and returns its end and its output. */
async function tryInside(box: BubblewrapBox, temporary: string, script: string) {
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const top = await mkdtemp(path.join(temporary, 'wall-'))
  const folder = path.join(top, 'files')
  const scratch = path.join(top, 'scratch')
  const nonce = randomBytes(16).toString('hex')
  const canary = path.join(top, 'canary')
  await Promise.all([mkdir(folder), mkdir(scratch)])
  await writeFile(path.join(folder, 'given'), nonce)
  await writeFile(canary, 'canary')
  let printed = ''
  const job = {
    folder,
    scratch,
    limits: testLimits,
    output: (chunk: Uint8Array) => {
      if (printed.length < testLimits.outputBytes) printed += Buffer.from(chunk).toString('utf8')
    },
  }
  try {
    const listener = await listen()
    const { port } = listener
    const env = { CANARY: canary, PORT: String(port), SERVER: String(process.pid) }
    const command = [systemShell(), '-c', script]
    const signal = AbortSignal.timeout(testLimits.timeoutMs * 2)
    const end = await runBoxed(box, { command, env }, { job, running: new Set(), signal })
    await listener.close()
    const copied = await readFile(path.join(folder, 'taken'), 'utf8').catch(() => '')
    return { end, printed, isThrough: copied === nonce, wasReached: listener.wasReached() }
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

async function timeStart(box: BubblewrapBox, temporary: string): Promise<number> {
  const { end } = await tryInside(box, temporary, ':')
  return end.usage.wallMs
}

/** Prints one line for each thing that it can do although the wall forbids it, and the namespaces it is in. */
const probe = `
cat given > taken
[ -r "$CANARY" ] && echo "leak: it reads files of the server"
[ -r /etc/passwd ] && echo "leak: it reads /etc/passwd"
for each in / /usr /etc /dev; do (: > "$each/loopwright-probe") 2>/dev/null && echo "leak: it writes to $each"; done
(exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null && echo "leak: it reaches the network"
kill -0 "$SERVER" 2>/dev/null && [ "$SERVER" -gt 100 ] && echo "leak: it reaches other processes"
while read -r name value; do
  case "$name" in
    CapEff:|CapPrm:|CapBnd:) [ "$value" = 0000000000000000 ] || echo "leak: it has privileges" ;;
    NoNewPrivs:) [ "$value" = 1 ] || echo "leak: it can gain privileges" ;;
  esac
done < /proc/self/status
for each in user pid net mnt ipc uts; do echo "namespace: $each $(readlink /proc/self/ns/$each)"; done
`

const namespaces = ['user', 'pid', 'net', 'mnt', 'ipc', 'uts'] as const

/** Undefined if the wall holds. */
async function testBox(box: BubblewrapBox, temporary: string): Promise<WallTest | undefined> {
  const { end, printed, isThrough, wasReached } = await tryInside(box, temporary, probe)
  if (!end.ended || !isThrough) {
    const [line = ''] = printed.split('\n').filter((each) => each.startsWith('bwrap:'))
    const said = line === '' ? '' : ` It says: “${line.slice(0, 300)}”`
    return {
      holds: false,
      reason: `bubblewrap is installed, but it does not run a program on this machine.${said}`,
      remedies: remediesFor('broken'),
    }
  }
  const leaks = [...findLeaks(printed), ...(wasReached ? ['it reaches the network'] : [])]
  if (leaks.length === 0) return undefined
  return {
    holds: false,
    reason: `A program called bwrap is installed, but it does not confine what it runs: ${[...new Set(leaks)].join(', ')}.`,
    remedies: remediesFor('leaky'),
  }
}

/** What a program inside could do, from what it printed. A namespace that it does not name counts as shared. */
function findLeaks(printed: string): string[] {
  const lines = printed.split('\n')
  const leaks = lines.filter((line) => line.startsWith('leak: ')).map((line) => line.slice('leak: '.length))
  const shared = namespaces.filter((name) => {
    const prefix = `namespace: ${name} `
    const own = lines.find((line) => line.startsWith(prefix))?.slice(prefix.length)
    return !own?.startsWith(`${name}:[`) || own === namespaceHere(name)
  })
  return [...leaks, ...shared.map((name) => `it shares the ${name} namespace of the server`)]
}

function namespaceHere(name: string): string {
  return readlinkSync(`/proc/self/ns/${name}`)
}

async function listen() {
  let isReached = false
  const server = net.createServer((socket) => {
    isReached = true
    socket.destroy()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The listener has no port.')
  return {
    port: address.port,
    wasReached: () => isReached,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
