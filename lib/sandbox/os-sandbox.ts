/**
 * The sandbox of the operating system, bubblewrap; it is used only if a test on this
 * machine shows that it works.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pipedChild } from './children'
import { listenLocally } from './local-listener'

export interface OsSandbox {
  /**
   * The command inside the sandbox: no network, no processes but its own, no variables, no privileges, and no
   * files but the program's own libraries and the `readable` ones (absolute paths), all read-only.
   */
  wrap(command: readonly string[], readable: readonly string[]): readonly string[]
  /**
   * A program of somebody else inside the sandbox: it sees the system's programs, its own folders and the variables
   * with which it is started, and no other process.
   */
  enclose(command: readonly string[], bounds: Enclosure): readonly string[]
}

/** What an enclosed program may use beyond the system's own programs, which it can only read. Paths are absolute. */
export interface Enclosure {
  readonly readable: readonly string[]
  readonly writable: readonly string[]
  /** Folders that are empty inside, even where they are part of a readable one. */
  readonly hidden: readonly string[]
  /** The working folder: one of `writable`. */
  readonly cwd: string
  readonly network: boolean
}

const testMs = 10_000
/** The folders where systems keep shared libraries. */
const libraries = ['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/nix/store']

const found = new Map<string, Promise<OsSandbox | undefined>>()

/**
 * The sandbox, tested once per process; undefined if there is none or if it lets anything out.
 * Rejects if the test cannot be made because no file can be written to the disk; the
 * next call then tests again.
 * @param search folders that may contain `bwrap`, in the form of the variable PATH
 * @param temporary the folder for the test's file, which is deleted afterwards
 */
export function osSandbox(
  search: string = process.env.PATH ?? '',
  temporary: string = os.tmpdir(),
): Promise<OsSandbox | undefined> {
  const known = found.get(search)
  if (known !== undefined) return known
  const finding = find(search, temporary)
  found.set(search, finding)
  finding.catch(() => found.delete(search))
  return finding
}

/**
 * What confines foreign JavaScript here: the system's sandbox around its process, or only
 * the process and QuickJS.
 */
export async function sandboxKind(temporary?: string): Promise<'os' | 'process'> {
  const sandbox = await osSandbox(undefined, temporary).catch(() => undefined)
  return sandbox === undefined ? 'process' : 'os'
}

async function find(search: string, temporary: string): Promise<OsSandbox | undefined> {
  const program = bubblewrapIn(search)
  if (program === undefined) return undefined
  const sandbox: OsSandbox = {
    wrap: (command, readable) => [program, ...walls, ...mountArguments(readable), '--', ...command],
    enclose: (command, bounds) => [program, ...enclosing(bounds), '--', ...command],
  }
  return (await holds(sandbox, temporary)) ? sandbox : undefined
}

/** The first `bwrap` in these folders, which says nothing about whether it works. */
export function bubblewrapIn(search: string): string | undefined {
  if (process.platform !== 'linux') return undefined
  return search
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'bwrap'))
    .find(isProgram)
}

/** Forgets what the tests have shown, so that the next use tests again. */
export function forgetOsSandbox(): void {
  found.clear()
}

function isProgram(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}

const walls = [
  '--unshare-all',
  '--die-with-parent',
  '--new-session',
  ...['--cap-drop', 'ALL'],
  '--clearenv',
  ...['--proc', '/proc'],
  ...['--dev', '/dev'],
  ...['--tmpfs', '/tmp'],
  ...['--chdir', '/'],
]

function mountArguments(readable: readonly string[]): string[] {
  const own = [process.execPath, ...readable].flatMap((file) => ['--ro-bind', file, file])
  return [...libraries.flatMap(library), ...own]
}

function library(folder: string): string[] {
  const entry = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (entry === undefined) return []
  return entry.isSymbolicLink()
    ? ['--symlink', fs.readlinkSync(folder), folder]
    : ['--ro-bind', folder, folder]
}

/** The folders where systems keep their programs, and what programs need to find hosts and to trust certificates. */
const programs = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/nix/store']
const facts = [
  ...['alternatives', 'ca-certificates', 'crypto-policies', 'group', 'gai.conf', 'host.conf', 'hosts'],
  ...[
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'localtime',
    'mime.types',
    'nsswitch.conf',
    'passwd',
    'pki',
  ],
  ...['protocols', 'resolv.conf', 'services', 'ssl'],
].map((name) => `/etc/${name}`)

/** What programs without a network need of the system's settings: links to programs, and where libraries are. */
const runtimeFacts = ['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'mime.types']

/** Arguments that mount the system's programs and nothing else of the machine, read-only. */
export function systemMounts(): string[] {
  return [
    ...programs.flatMap(library),
    ...runtimeFacts.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
  ]
}

/** Whether `systemMounts` shows this path. */
export function isInSystem(file: string): boolean {
  return programs.some((folder) => file === folder || file.startsWith(`${folder}/`))
}

/** Variables are inherited: the caller starts the sandbox with those of the program, so that no argument shows them. */
function enclosing({ readable, writable, hidden, cwd, network }: Enclosure): string[] {
  const mounts = [
    ...hidden.map((folder) => ({ folder, mount: ['--tmpfs', folder] })),
    ...readable.map((folder) => ({ folder, mount: ['--ro-bind', folder, folder] })),
    ...writable.map((folder) => ({ folder, mount: ['--bind', folder, folder] })),
  ]
  // A folder inside another one must be mounted after it.
  const inOrder = mounts.sort((a, b) => a.folder.length - b.folder.length)
  return [
    '--unshare-all',
    ...(network ? ['--share-net'] : []),
    '--die-with-parent',
    '--new-session',
    ...['--cap-drop', 'ALL'],
    ...['--proc', '/proc'],
    ...['--dev', '/dev'],
    ...['--tmpfs', '/tmp'],
    ...programs.flatMap(library),
    ...facts.flatMap((file) => ['--ro-bind-try', file, file]),
    ...inOrder.flatMap(({ mount }) => mount),
    ...['--chdir', cwd],
  ]
}

interface Seen {
  readonly file: boolean
  readonly network: boolean
  readonly variables: boolean
}

/** Reports whether it can read a forbidden file, reach a forbidden port and see variables. */
const probe = `
const [file, port] = process.argv.slice(1)
let seen = { file: true, network: true, variables: true }
try { require('node:fs').readFileSync(file) } catch { seen.file = false }
seen.variables = Object.keys(process.env).some((name) => name !== 'PWD')
const socket = require('node:net').connect({ host: '127.0.0.1', port: Number(port) })
const end = (network) => { process.stdout.write(JSON.stringify({ ...seen, network })); process.exit(0) }
socket.on('connect', () => end(true))
socket.on('error', () => end(false))
`

/**
 * Whether a program that starts inside cannot reach a file and a listener outside, which
 * this process can both reach.
 */
async function holds(sandbox: OsSandbox, temporary: string): Promise<boolean> {
  await fs.promises.mkdir(temporary, { recursive: true, mode: 0o700 })
  const folder = await fs.promises.mkdtemp(path.join(temporary, 'loopwright-sandbox-'))
  const file = path.join(folder, 'canary')
  const listener = await listenLocally()
  try {
    await fs.promises.writeFile(file, randomBytes(16).toString('hex'))
    const command = [process.execPath, '-e', probe, file, String(listener.port)]
    const seen = await askProgram(sandbox.wrap(command, []))
    return seen !== undefined && !seen.file && !seen.network && !seen.variables
  } catch {
    return false
  } finally {
    listener.close()
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}

/** Sets a variable as well, to detect a sandbox that passes the environment on. */
function askProgram([program = '', ...rest]: readonly string[]): Promise<Seen | undefined> {
  return new Promise((resolve) => {
    const env = { LOOPWRIGHT_CANARY: '1' } as unknown as NodeJS.ProcessEnv // cast: Next declares NODE_ENV as always present
    // Without a process nothing was tested, so this rejects.
    const child = pipedChild(
      spawn(program, rest, {
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: testMs,
        killSignal: 'SIGKILL',
      }),
    )
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8')
    })
    child.on('error', () => resolve(undefined))
    child.on('close', () => resolve(seenIn(said)))
  })
}

function seenIn(said: string): Seen | undefined {
  try {
    const { file, network, variables } = JSON.parse(said)
    const isWhole = [file, network, variables].every((each) => typeof each === 'boolean')
    return isWhole ? { file, network, variables } : undefined
  } catch {
    return undefined
  }
}
