/**
 * What surrounds the program of a stdio server: an environment without the server's variables, a folder of its own,
 * and bubblewrap where it works.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { type OsSandbox, osSandbox } from '#lib/sandbox/os-sandbox'
import type { McpProgram } from '#lib/spec/mcp'
import type { Binary } from './command'

export interface SurroundingsContext {
  /** The data folder, which no server sees. */
  readonly data: string
  /** The folder for temporary files. Default: the system's. */
  readonly temporary?: string
  /** Folders with programs, in the form of PATH. */
  readonly search: string
  readonly lang?: string | undefined
}

export interface StartRequest {
  readonly name: string
  /** With the values of its secrets. */
  readonly program: McpProgram
  readonly binary: Binary
  /** Whether it may start where no wall holds. */
  readonly unwalled: boolean
}

export interface ProgramSurroundings {
  /** The folder that is the server's HOME and working folder. */
  homeOf(name: string): string
  /** The wall around programs here, tested; undefined if there is none. */
  wall(): Promise<OsSandbox | undefined>
  /** Why the declared folders cannot be used, in one sentence. */
  folderFault(program: McpProgram): string | undefined
  /** Whether a program inside the wall sees this path. */
  canSee(name: string, program: McpProgram, file: string): boolean
  /** Starts the program. Throws an Error with one sentence when it must not or cannot be started. */
  start(request: StartRequest): Promise<ChildProcess>
  /** Deletes the server's folder. */
  forget(name: string): void
}

export function createSurroundings({
  data,
  temporary,
  search,
  lang,
}: SurroundingsContext): ProgramSurroundings {
  const homes = path.join(data, 'mcp')
  const homeOf = (name: string) => path.join(homes, name)
  // A failed test rejects; without proof that the wall holds there is none.
  const wall = () => osSandbox(search, temporary).catch(() => undefined)
  const boundsOf = (name: string, program: McpProgram) => ({
    readable: [...program.read, ...runtimeFolders()],
    writable: [...program.write, homeOf(name)],
  })
  const folderFault = ({ read, write }: McpProgram) => faultOfFolders([...read, ...write], data)
  return {
    homeOf,
    wall,
    folderFault,
    canSee: (name, program, file) => {
      const { readable, writable } = boundsOf(name, program)
      const seen = [...readable, ...writable, '/usr', '/bin', '/sbin', '/lib', '/lib64', '/nix/store']
      return seen.some((folder) => isInside(file, folder))
    },
    start: async ({ name, program, binary, unwalled }) => {
      const sandbox = await wall()
      if (sandbox === undefined && !unwalled) throw new Error(noWall)
      const fault = folderFault(program)
      if (fault !== undefined) throw new Error(fault)
      const home = homeOf(name)
      fs.mkdirSync(home, { recursive: true, mode: 0o700 })
      const command = [binary.file, ...program.args]
      const hidden = [...new Set([data, realPath(data) ?? data])]
      const bounds = { ...boundsOf(name, program), hidden, cwd: home, network: program.network }
      const [file = binary.file, ...args] = sandbox?.enclose(command, bounds) ?? command
      return launch(file, args, { cwd: home, env: { ...variables({ search, home, lang }), ...program.env } })
    },
    forget: (name) => fs.rmSync(homeOf(name), { recursive: true, force: true }),
  }
}

/** Why a program does not start where nothing confines it. */
export const noWall =
  'Nothing on this machine confines programs (bubblewrap is missing or does not work), so it would run with the rights of this server and could read its data folder. Confirm that under Settings → MCP servers, or install bubblewrap.'

/** Resolves when the program runs; rejects with one sentence when the system cannot start it. */
function launch(
  file: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error) => reject(new Error(`The program could not be started: ${error.message}.`))
    try {
      const child = spawn(file, args, {
        cwd,
        env: env as NodeJS.ProcessEnv, // cast: Next declares NODE_ENV as always present
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      })
      child.once('error', refuse)
      child.once('spawn', () => {
        child.off('error', refuse)
        resolve(child)
      })
    } catch (error) {
      // An argument that the system cannot take.
      refuse(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

function variables({ search, home, lang }: { search: string; home: string; lang: string | undefined }) {
  const system = process.platform === 'win32' ? windowsVariables() : {}
  return { ...system, PATH: search, HOME: home, LANG: lang || 'C.UTF-8' }
}

/** Without these no program starts on Windows. */
function windowsVariables(): Record<string, string> {
  const names = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT']
  return Object.fromEntries(names.flatMap((name) => [[name, process.env[name] ?? '']]))
}

/** The Node that runs this server, with its npx, where it is not among the system's programs. */
function runtimeFolders(): string[] {
  const bin = path.dirname(process.execPath)
  const modules = path.join(bin, '../lib/node_modules')
  if (bin.startsWith('/usr/') || path.basename(bin) !== 'bin')
    return isInside(bin, '/usr') ? [] : [process.execPath]
  return [bin, modules].filter((folder) => fs.existsSync(folder))
}

function faultOfFolders(folders: readonly string[], data: string): string | undefined {
  const own = realPath(data) ?? data
  for (const folder of folders) {
    const real = realPath(folder)
    if (real === undefined) return `The folder ${folder} does not exist or cannot be read.`
    if (isInside(own, real) || isInside(real, own))
      return `The folder ${folder} contains the data folder of this server or is part of it. Choose another one.`
  }
  return undefined
}

function realPath(file: string): string | undefined {
  try {
    return fs.realpathSync(file)
  } catch {
    return undefined
  }
}

function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file)
  return way === '' || (!way.startsWith('..') && !path.isAbsolute(way))
}
