/** `loopwright walls`: installs, lists and removes the programs of the sandbox that are not part of the product. */
import path from 'node:path'
import { registryHost } from '#lib/sandbox/walls/npm-client'
import {
  type InstallProgress,
  installPackage,
  isInstalled,
  removePackage,
} from '#lib/sandbox/walls/wall-install'
import { packageFor, type WallName, type WallPackage, wallNames } from '#lib/sandbox/walls/wall-packages'
import { dataFolderOf, rootOf } from '#lib/server/environment/environment'
import { type CliCommand, exit, readArguments, refuse, textOption } from './command'
import type { Terminal } from './terminal'

const actions = ['list', 'install', 'remove'] as const

export const walls: CliCommand = {
  name: 'walls',
  usage:
    'walls list | walls install [deno] [pyodide] [--from file.tgz] | walls remove <deno | pyodide>  [--data folder]',
  help: 'Lists, installs or removes Deno and Pyodide, in which Python, shell scripts and the readers of documents run where bubblewrap does not hold. They come from the registry that npm is set up with, or from a file, in fixed versions that are checked, and go into the folder “walls” of the data folder. A server that is running uses them after “Test all again” under Settings → Sandbox.',
  async run(args, terminal) {
    const [word, ...rest] = args
    const action = actions.find((each) => each === word)
    if (action === undefined) return refuse(terminal, walls, 'Say list, install or remove.')
    const names = rest.filter((each): each is WallName => wallNames.some((name) => name === each))
    const options = { data: { type: 'string' }, from: { type: 'string' } } as const
    const given = readArguments(rest, options, names)
    if (!given.ok) return refuse(terminal, walls, given.error)
    const { env, folder } = terminal
    const place = { cwd: folder, root: rootOf(env, folder) }
    const data = dataFolderOf(textOption(given.value, 'data') ?? env.LOOPWRIGHT_DATA, place)
    const installed = path.join(data, 'walls')
    const from = textOption(given.value, 'from')
    if (action !== 'install' && from !== undefined)
      return refuse(terminal, walls, '--from belongs to install.')
    switch (action) {
      case 'list':
        return list(installed, terminal)
      case 'install':
        return install(names.length > 0 ? names : wallNames, { installed, from, terminal })
      case 'remove':
        return names.length === 0
          ? refuse(terminal, walls, 'Say which: deno or pyodide.')
          : remove(names, { installed, terminal })
      default:
        return action satisfies never
    }
  },
}

function list(installed: string, { out }: Terminal): number {
  for (const name of wallNames) {
    const found = packageFor(name)
    if (found === undefined) out(`${name}: does not run on this system\n`)
    else {
      const state = isInstalled(installed, found)
        ? 'installed'
        : `not installed (${megabytes(found.downloadBytes)})`
      out(`${name} ${found.version}: ${state}\n`)
    }
  }
  return exit.ok
}

interface Around {
  readonly installed: string
  readonly terminal: Terminal
}

async function install(
  names: readonly WallName[],
  { installed, from, terminal }: Around & { readonly from: string | undefined },
): Promise<number> {
  if (from !== undefined && names.length !== 1)
    return refuse(terminal, walls, 'With --from, name one package.')
  const file = from === undefined ? undefined : path.resolve(terminal.folder, from)
  const abort = new AbortController()
  const release = terminal.onInterrupt(() => abort.abort())
  try {
    for (const name of names) {
      const wanted = packageFor(name)
      if (wanted === undefined) {
        terminal.err(`${name} does not run on this system.\n`)
        return exit.failed
      }
      if (isInstalled(installed, wanted)) {
        terminal.out(`${name} ${wanted.version} is already installed.\n`)
        continue
      }
      const message = await installOne(wanted, { installed, file, terminal, signal: abort.signal })
      if (message !== undefined) {
        terminal.err(`${message}\n`)
        return exit.failed
      }
      terminal.out(`${name} ${wanted.version} is installed.\n`)
    }
    return exit.ok
  } finally {
    release()
  }
}

/** Says what it is about to do before it does it. Returns one sentence if it fails. */
async function installOne(
  wanted: WallPackage,
  {
    installed,
    file,
    terminal,
    signal,
  }: Around & { readonly file: string | undefined; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { npm, version, downloadBytes, unpackedBytes } = wanted
  const source =
    file ??
    `${(await registryHost(terminal.folder, signal)) ?? 'the registry of npm'} (${megabytes(downloadBytes)})`
  terminal.err(
    `Installing ${npm}@${version} from ${source} to ${installed}, ${megabytes(unpackedBytes)} on the disk.\n`,
  )
  let told = ''
  const progress = (at: InstallProgress) => {
    const line = stepOf(at)
    if (line !== told) terminal.err(`  ${line}\n`)
    told = line
  }
  const answer = await installPackage(wanted, { installed, ...(file && { from: file }), signal, progress })
  return answer.ok ? undefined : answer.message
}

/** In steps of a tenth, so that a log has few lines. */
function stepOf({ phase, bytes, total }: InstallProgress): string {
  return phase === 'downloading' ? `downloading: ${Math.floor((bytes / total) * 10) * 10} %` : phase
}

async function remove(names: readonly WallName[], { installed, terminal }: Around): Promise<number> {
  for (const name of names) {
    const wasThere = await removePackage(installed, name)
    terminal.out(wasThere ? `${name} is removed.\n` : `${name} is not installed.\n`)
  }
  return exit.ok
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`
}
