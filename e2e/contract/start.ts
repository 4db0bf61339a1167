/** Starts the product in separate processes: a server to reach over HTTP, or commands of the command line. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { recipeOf } from '../../lib/setup/bundle.mjs'
import { at, root } from '../../lib/setup/place.mjs'

export interface Server {
  /** `http://127.0.0.1:…` */
  readonly url: string
  readonly dataFolder: string
  /** Its output on stderr. */
  readonly errors: string
  /** Resolves when the process is gone. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

export interface Product {
  /**
   * Starts a server with the data folder `data`; if that is not given, with a copy of `from` or an empty
   * folder.
   */
  serve(options?: { data?: string; from?: string; env?: Record<string, string> }): Promise<Server>
  /** Runs commands of the command line in turn; resolves with the exit code and output of each. */
  run(commands: readonly (readonly string[])[]): Promise<{ code: number; out: string }[]>
  /** Stops all running processes, and deletes every file that was created here. */
  end(): Promise<void>
}

/** Separates a command's output from its exit code. */
const endMark = '\u001e'

/** The product gets nothing of the tests' own environment but the path to Node's programs. */
const environment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '',
  TZ: 'UTC',
  LOOPWRIGHT_ROOT: root,
  LOOPWRIGHT_BUNDLES: at('.next', 'loopwright'),
}

export async function openProduct(): Promise<Product> {
  // Inside the project, where the bundle finds the packages.
  fs.mkdirSync(at('node_modules/.cache'), { recursive: true })
  const bundle = fs.mkdtempSync(at('node_modules/.cache', 'contract-'))
  const program = path.join(bundle, 'present.mjs')
  const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-contract-'))
  await build(recipeOf({ present: 'e2e/contract/present.ts' }, bundle))
  const servers: Server[] = []
  let folders = 0
  const start = (args: readonly string[], env: Record<string, string>) =>
    spawn(process.execPath, [program, ...args], {
      cwd: root,
      env: { ...environment, ...env, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const freshFolder = (from: string | undefined) => {
    const folder = path.join(temporary, `data-${folders++}`)
    if (from !== undefined) fs.cpSync(from, folder, { recursive: true })
    return folder
  }
  return {
    async serve({ from, data = freshFolder(from), env = {} } = {}) {
      const child = start(['serve'], { PORT: '0', LOOPWRIGHT_DATA: data, ...env })
      const server = await whenListening(child, data)
      servers.push(server)
      return server
    },
    async run(commands) {
      const child = start(['run', JSON.stringify(commands)], { LOOPWRIGHT_DATA: freshFolder(undefined) })
      const [out, err] = [heard(child.stdout), heard(child.stderr)]
      await new Promise((resolve) => child.once('close', resolve))
      // The output of each command, then a mark and its exit code on a line.
      const [first = '', ...rest] = out.text.split(endMark)
      if (rest.length !== commands.length) throw new Error(`The commands broke off: ${err.text}`)
      const texts = [first, ...rest.map((text) => text.slice(text.indexOf('\n') + 1))]
      return rest.map((text, index) => ({ code: Number.parseInt(text, 10), out: texts[index] ?? '' }))
    },
    async end() {
      await Promise.all(servers.map((each) => each.stop('SIGKILL')))
      for (const folder of [bundle, temporary]) fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

function heard(stream: ChildProcess['stdout']): { text: string } {
  const said = { text: '' }
  stream?.setEncoding('utf8').on('data', (text: string) => {
    said.text += text
  })
  return said
}

async function whenListening(child: ChildProcess, dataFolder: string): Promise<Server> {
  const [out, errors] = [heard(child.stdout), heard(child.stderr)]
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const [, found] = /^listening on (\d+)$/m.exec(out.text) ?? []
      if (found !== undefined) resolve(found)
    })
    void gone.then(() => reject(new Error(`The server ended before it listened: ${errors.text}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    dataFolder,
    get errors() {
      return errors.text
    },
    stop(signal) {
      child.kill(signal)
      return gone
    },
  }
}
