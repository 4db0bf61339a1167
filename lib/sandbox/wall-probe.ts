/** What the test of a wall tries in a child process of our own: everything that the wall is to keep it from. */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { Worker } from 'node:worker_threads'

export interface WallProbe {
  /** A file of the server; absolute. */
  readonly canary: string
  /** A folder that the child may write; absolute. */
  readonly folder?: string
  /** A listener on 127.0.0.1; absent where the wall does not close the network. */
  readonly port?: number
}

/** The part of Deno that the test tries, past the modules of Node. */
interface DenoHost {
  readTextFileSync(file: string): string
  writeTextFileSync(file: string, text: string): void
  hostname(): string
  dlopen(file: string, symbols: object): unknown
  readonly env: { toObject(): Readonly<Record<string, string>> }
  readonly Command: new (program: string) => { outputSync(): unknown }
}
const deno = (globalThis as { readonly Deno?: DenoHost }).Deno // cast: only Deno has it

type Try = readonly [leak: string, work: () => unknown]

/** What it could do although the wall forbids it, each in a few words. */
export async function probeWall({ canary, folder, port }: WallProbe): Promise<string[]> {
  const tries: Try[] = [
    ['it reads files of the server', () => fs.readFileSync(canary)],
    ['it lists folders of the server', () => fs.readdirSync(path.dirname(canary))],
    ['it lists folders of the machine', () => fs.readdirSync(path.parse(canary).root)],
    ['it writes files of the server', () => fs.writeFileSync(`${canary}-written`, '')],
    [
      'it writes to the machine',
      () => fs.mkdtempSync(path.join(path.parse(canary).root, 'tmp', 'loopwright-probe-')),
    ],
    ['it makes links to files of the machine', () => fs.symlinkSync('/etc/passwd', `${canary}-link`)],
    ['it sees the environment of the server', () => someOf(process.env)],
    ['it starts programs', () => runProgram(process.execPath)],
    ...(folder === undefined ? [] : triesIn(folder, canary)),
    ...(deno === undefined ? triesInNode : triesInDeno(deno, canary)),
  ]
  const leaks = tries.flatMap(([leak, work]) => (isPossible(work) ? [leak] : []))
  if (port !== undefined && (await connects(port))) leaks.push('it reaches the network')
  return leaks
}

/** Since Node 24 the reserve for compiled code of a thread counts as memory, and its usual one would end the process. */
const resourceLimits = { codeRangeSizeMb: 8 }
const triesInNode: readonly Try[] = [
  ['it starts threads', () => new Worker('', { eval: true, resourceLimits }).terminate()],
]

/** Ways out of a folder that it may write: a second name for a file outside. */
function triesIn(folder: string, canary: string): readonly Try[] {
  const way = path.relative(folder, canary)
  const read = (name: string) => fs.readFileSync(path.join(folder, name))
  return [
    ['it reads files of the server by a way up', () => read(way)],
    ['it reads through links', () => [fs.symlinkSync(canary, path.join(folder, 'link')), read('link')]],
    ['it reads through links that lead up', () => [fs.symlinkSync(way, path.join(folder, 'up')), read('up')]],
    ['it reads through hard links', () => [fs.linkSync(canary, path.join(folder, 'hard')), read('hard')]],
  ]
}

/** A thread of Deno has the rights of its program, so it may be started. */
function triesInDeno(host: DenoHost, canary: string): readonly Try[] {
  return [
    ['Deno reads files of the server', () => host.readTextFileSync(canary)],
    ['Deno writes files of the server', () => host.writeTextFileSync(`${canary}-written`, '')],
    ['Deno starts programs', () => new host.Command(process.execPath).outputSync()],
    ['Deno loads libraries', () => host.dlopen('libc.so.6', {})],
    ['Deno sees the system', () => host.hostname()],
    ['Deno sees the environment of the server', () => someOf(host.env.toObject())],
  ]
}

/**
 * Variables that a program has although it is given none: of its shell and its time zone, of macOS, and those that
 * libuv gives every program on Windows.
 */
const unasked = new Set([
  ...['PWD', 'TZ', '__CF_USER_TEXT_ENCODING'],
  ...['HOMEDRIVE', 'HOMEPATH', 'LOGONSERVER', 'PATH', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERDOMAIN'],
  ...['USERNAME', 'USERPROFILE', 'WINDIR'],
])

function someOf(variables: Readonly<Record<string, string | undefined>>): void {
  const names = Object.keys(variables).filter((name) => !unasked.has(name.toUpperCase()))
  if (names.length === 0) throw new Error('there are none')
}

function isPossible(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** Whether a listener of the server hears it; a refusal of the runtime and one of the system are the same here. */
function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const socket = net.connect({ host: '127.0.0.1', port })
      socket.on('connect', () => resolve(true))
      socket.on('error', () => resolve(false))
    } catch {
      resolve(false)
    }
  })
}

/** Deno neither throws nor gives an error when it refuses. */
function runProgram(program: string): void {
  const { status } = spawnSync(program, ['--version'])
  if (status !== 0) throw new Error('it was refused')
}
