/** Asks the npm of this machine for a package: its registry, proxy, credentials and certificates are npm's own. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { childOrNone, pipedChild } from '../children'

const keptOutput = 20_000

interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The host of the registry that npm is set up with; undefined if npm cannot be run. */
export async function registryHost(cwd: string, signal?: AbortSignal): Promise<string | undefined> {
  const { code, output } = await runNpm(['config', 'get', 'registry'], cwd, signal)
  const [address = ''] = /https?:\/\/\S+/.exec(output) ?? []
  return code === 0 && URL.canParse(address) ? new URL(address).host : undefined
}

/**
 * Downloads the archive of a package into `folder`. npm keeps what it has received so far in the folder `cache` below
 * it. Returns one sentence on what went wrong.
 */
export async function downloadPackage(
  { npm, version }: { readonly npm: string; readonly version: string },
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
  const { code, output } = await runNpm(
    [
      'pack',
      `${npm}@${version}`,
      '--cache',
      path.join(folder, 'cache'),
      '--pack-destination',
      folder,
      ...options,
    ],
    folder,
    signal,
  )
  if (code === 0) return { ok: true }
  if (code === null && !signal.aborted)
    return { ok: false, message: 'npm could not be started. Give the archive as a file instead.' }
  const reason = /npm (?:error|ERR!) (?!code)(.+)/.exec(output)?.[1]?.trim() ?? `npm ended with code ${code}`
  return { ok: false, message: `npm could not download ${npm}@${version}: ${reason.slice(0, 300)}` }
}

/** Never throws; a program that cannot be started ends with the code null. */
function runNpm(args: readonly string[], cwd: string, signal?: AbortSignal): Promise<Ended> {
  const [command, ...rest] = npmCommand()
  return new Promise((resolve) => {
    const start = () =>
      spawn(command, [...rest, ...args], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        ...(signal && { signal, killSignal: 'SIGKILL' as const }),
      })
    let output = ''
    const child = childOrNone(() => pipedChild(start()))
    if (child === undefined) return resolve({ code: null, output })
    const keep = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-keptOutput)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', () => resolve({ code: null, output }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

/** The npm that came with this Node, or else the one on PATH. */
function npmCommand(): readonly [string, ...string[]] {
  const bin = path.dirname(process.execPath)
  const beside = ['../lib/node_modules/npm/bin/npm-cli.js', 'node_modules/npm/bin/npm-cli.js']
  const known = [process.env.npm_execpath ?? '', ...beside.map((each) => path.resolve(bin, each))]
  const script = known.find((each) => /npm-cli\.c?js$/.test(each) && existsSync(each))
  if (script !== undefined) return [process.execPath, script]
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm'] : ['npm']
}
