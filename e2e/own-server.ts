/** A server for one test, with its own data folder, that the test may kill and restart. */
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

const root = path.resolve(__dirname, '..')

export interface OwnServer {
  readonly url: string
  readonly dataFolder: string
  /** The id of the server's process; undefined while it does not run. */
  readonly pid: number | undefined
  /** Its output since the last start, stdout and stderr. */
  readonly log: string
  /** The part of the log from stderr. */
  readonly errors: string
  start(): Promise<void>
  /** Stops the server's process, and resolves with its exit code (null if it was killed). */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  /** Stops the server if it runs, and deletes the data. */
  dispose(): Promise<void>
}

/** @param env variables for the server, in addition to those of the test */
export async function ownServer(env: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-e2e-own-'))
  let child: ChildProcess | undefined
  let log = ''
  let errors = ''
  const stop = (signal: 'SIGTERM' | 'SIGKILL') =>
    new Promise<number | null>((resolve) => {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return resolve(null)
      child.once('exit', resolve)
      child.kill(signal)
    })
  return {
    url,
    dataFolder,
    stop,
    get pid() {
      return child?.pid
    },
    get log() {
      return log
    },
    get errors() {
      return errors
    },
    async start() {
      // The examples answer at once, so that no journey waits for their words.
      const environment = {
        LOOPWRIGHT_DEMO_PACE: '0',
        ...process.env,
        ...env,
        PORT: String(port),
        LOOPWRIGHT_DATA: dataFolder,
      }
      child = spawn(process.execPath, ['lib/setup/start.mjs'], {
        cwd: root,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      log = ''
      errors = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        log += text
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text
        errors += text
      })
      await answers(`${url}/api/health`, child)
    },
    async dispose() {
      await stop('SIGKILL')
      fs.rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

/** Resolves once the address answers 200; fails at once if the process ends first. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  const until = Date.now() + 60_000
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} before it answered`)
    const isUp = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no answer from ${url} within a minute`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() =>
        typeof address === 'object' && address !== null
          ? resolve(address.port)
          : reject(new Error('no port')),
      )
    })
  })
}
