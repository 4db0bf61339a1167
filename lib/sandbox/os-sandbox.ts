/** The sandbox of the operating system, bubblewrap: used only where a test of it has shown that it holds. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

export interface OsSandbox {
  /**
   * The command inside the sandbox: no network, no process but its own, no variable, no right, and no file but the
   * program's own libraries and what is `readable` (absolute paths), which can not be written.
   */
  wrap(command: readonly string[], readable: readonly string[]): readonly string[]
}

const testMs = 10_000
/** Where a system keeps the shared libraries of its programs. */
const libraries = ['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64', '/nix/store']

const found = new Map<string, Promise<OsSandbox | undefined>>()

/**
 * The sandbox, tested once in the life of this process; undefined where there is none or where it lets anything out.
 * Rejects when the test cannot be made because the disk takes no file; the next to ask has it made again.
 * @param search folders where `bwrap` may stand, as in the variable PATH
 * @param temporary the folder for the file of the test, which is gone after it
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

/** What holds foreign JavaScript here: the system's sandbox around its process, or the process and QuickJS alone. */
export async function sandboxKind(temporary?: string): Promise<'os' | 'process'> {
  const sandbox = await osSandbox(undefined, temporary).catch(() => undefined)
  return sandbox === undefined ? 'process' : 'os'
}

async function find(search: string, temporary: string): Promise<OsSandbox | undefined> {
  if (process.platform !== 'linux') return undefined
  const program = search
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, 'bwrap'))
    .find(isProgram)
  if (program === undefined) return undefined
  const sandbox: OsSandbox = {
    wrap: (command, readable) => [program, ...walls, ...mountArguments(readable), '--', ...command],
  }
  return (await holds(sandbox, temporary)) ? sandbox : undefined
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

interface Seen {
  readonly file: boolean
  readonly network: boolean
  readonly variables: boolean
}

/** Tells of a file it must not read, a port it must not reach and the variables it sees. */
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

/** Whether a program that starts inside can not get at what is outside. The same listener and file are reached from here. */
async function holds(sandbox: OsSandbox, temporary: string): Promise<boolean> {
  await fs.promises.mkdir(temporary, { recursive: true, mode: 0o700 })
  const folder = await fs.promises.mkdtemp(path.join(temporary, 'loopwright-sandbox-'))
  const file = path.join(folder, 'canary')
  const listener = net.createServer((socket) => socket.destroy())
  try {
    await fs.promises.writeFile(file, randomBytes(16).toString('hex'))
    const port = await listen(listener)
    const command = [process.execPath, '-e', probe, file, String(port)]
    const seen = await askProgram(sandbox.wrap(command, []))
    return seen !== undefined && !seen.file && !seen.network && !seen.variables
  } catch {
    return false
  } finally {
    listener.close()
    await fs.promises.rm(folder, { recursive: true, force: true })
  }
}

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the listener has no port'))
      else resolve(address.port)
    })
  })
}

/** A variable goes in as well, so that a sandbox which lets the environment through is found out. */
function askProgram([program = '', ...rest]: readonly string[]): Promise<Seen | undefined> {
  return new Promise((resolve) => {
    const env = { LOOPWRIGHT_CANARY: '1' } as unknown as NodeJS.ProcessEnv // cast: Next declares NODE_ENV as always there
    const child = spawn(program, rest, {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: testMs,
      killSignal: 'SIGKILL',
    })
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
