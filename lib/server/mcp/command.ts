/** The program of a stdio server as a person confirms it: the file that runs, the whole line, and its hash. */
import fs from 'node:fs'
import path from 'node:path'
import { jsonKey } from '#lib/spec/json'
import type { McpProgram } from '#lib/spec/mcp'
import { visible } from '#lib/spec/visible'
import { hashText } from './pins'

/** The file that runs. */
export interface Binary {
  /** Absolute, as found in PATH. */
  readonly file: string
  /** The file behind all symbolic links; the same as `file` without any. */
  readonly target: string
}

/** Undefined if there is no such program. A relative path names none, since it depends on a folder. */
export function findBinary(command: string, search: string): Binary | undefined {
  const places = path.isAbsolute(command)
    ? [command]
    : /[/\\]/.test(command)
      ? []
      : search
          .split(path.delimiter)
          .filter((folder) => path.isAbsolute(folder))
          .map((folder) => path.join(folder, command))
  for (const place of places) {
    const target = programBehind(place)
    if (target !== undefined) return { file: place, target }
  }
  return undefined
}

function programBehind(file: string): string | undefined {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile() ? fs.realpathSync(file) : undefined
  } catch {
    return undefined
  }
}

/** Covers everything that decides what runs, and with which rights. */
export function hashCommand(program: McpProgram, binary: Binary | undefined): string {
  return hashText(jsonKey({ ...program, binary: binary?.file ?? null, target: binary?.target ?? null }))
}

/** The whole line, quoted as in a shell, with invisible characters made visible. */
export function commandLine(program: McpProgram, binary: Binary | undefined): string {
  return [binary?.file ?? program.command, ...program.args].map((each) => visible(quote(each))).join(' ')
}

function quote(text: string): string {
  return /^[\w@%+=:,./${}-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** Variables that make a program load other code. */
const loaders =
  /^(NODE_OPTIONS|NODE_PATH|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_.*|PYTHONPATH|PYTHONSTARTUP|BASH_ENV|PERL5OPT|RUBYOPT|PATH)$/
const runners = /^(npx|pnpx|bunx|uvx|pipx)(\.cmd|\.exe)?$/

interface NoteContext {
  readonly isWalled: boolean
  /** Whether a program inside the wall can see this path. */
  canSee(file: string): boolean
}

/** What a person should know before they confirm the command. */
export function commandNotes(
  program: McpProgram,
  binary: Binary | undefined,
  { isWalled, canSee }: NoteContext,
): string[] {
  const notes: string[] = []
  const { args, env, network } = program
  const loading = Object.keys(env).filter((name) => loaders.test(name))
  if (loading.length > 0)
    notes.push(`${loading.join(', ')} can make the program load other code than its own.`)
  const isRunner = runners.test(path.basename(program.command))
  const named = args.find((each) => !each.startsWith('-'))
  if (isRunner && named !== undefined && !/.@\d|==\d/.test(named))
    notes.push(
      `The newest version of ${visible(named.slice(0, 100))} is downloaded at each start, whatever it contains then. Name a version, as in ${visible(named.slice(0, 60)).replace(/@latest$/, '')}@1.2.3.`,
    )
  if (!isWalled) return notes
  if (isRunner && !network) notes.push('It downloads its program, so it needs the network.')
  const hidden = [...new Set([binary?.target, ...args])].filter(
    (each) => each !== undefined && path.isAbsolute(each) && fs.existsSync(each) && !canSee(each),
  )
  for (const file of hidden)
    notes.push(
      `It cannot see ${visible(String(file).slice(0, 300))}. Add the path to the folders that it may read or write.`,
    )
  return notes
}
