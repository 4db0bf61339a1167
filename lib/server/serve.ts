/** Starts the server: environment, lock, everything behind the API, Next behind the door. Stops it in order. */
import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'
import next from 'next'
import { type Composition, compose } from './compose'
import { createDoor, type Door } from './door/door'
import { addressOf, type Environment, readEnvironment, rootOf } from './environment/environment'
import { programVersion } from './environment/program-version'
import { listen } from './listen'
import { lockFolder } from './lock'
import { redactLog } from './secrets/redact'
import { StartError } from './start-error'
import { stopOnSignals } from './stop'

const slot = Symbol.for('loopwright')

/**
 * Resolves once the server listens; from then on the server runs until the process ends.
 * Throws a StartError with one sentence when it cannot start.
 */
export async function serve({ dev }: { dev: boolean }): Promise<void> {
  const root = rootOf(process.env, process.cwd())
  const environment = environmentOf(root)
  const version = programVersion(root)
  const lock = lockFolder(environment.dataFolder)
  let composition: Composition | undefined
  try {
    const examples = path.join(root, 'examples')
    const firstRun = { paceMs: environment.paceMs ?? 0 }
    composition = compose({ environment, version, examples, firstRun, dev })
    redactLog(console, composition.redact)
    const pages = await openPages({ dev, root, environment })
    Object.assign(globalThis, { [slot]: composition.app })
    const door = createDoor({ guard: composition.app.guard, dev, font: fontIn(root), ...pages })
    const server = createHttp(door)
    const port = await listen(server, environment)
    composition.app.listening(port)
    stopOnSignals({ door, server, composition, lock, close: pages.close })
    composition.recover()
    console.log(`Loopwright is at ${environment.publicOrigin ?? addressOf(environment.host, port)}`)
  } catch (error) {
    composition?.close()
    lock.release()
    throw error
  }
}

/** The address of the pages' font in the build; undefined if there is none, as in development. */
function fontIn(root: string): string | undefined {
  try {
    const files = readdirSync(path.join(root, '.next/static/media'))
    const file = files.find((each) => /^inter-latin-wght-normal\.[\w-]+\.woff2$/.test(each))
    return file === undefined ? undefined : `/_next/static/media/${file}`
  } catch {
    return undefined
  }
}

function environmentOf(root: string): Environment {
  const read = readEnvironment(process.env, { cwd: process.cwd(), root })
  if (read.ok) return read.value
  throw new StartError(read.error)
}

interface Pages {
  pass: Parameters<typeof createDoor>[0]['pass']
  upgrade: Parameters<typeof createDoor>[0]['upgrade']
  close(): Promise<void>
}

async function openPages({
  dev,
  root,
  environment,
}: {
  dev: boolean
  root: string
  environment: Environment
}): Promise<Pages> {
  // The server handles signals itself: Next would exit in the middle of runs.
  process.env.NEXT_MANUAL_SIG_HANDLE = 'true'
  // This server never listens: Next adds its own listeners to any server that it is given.
  const httpServer = createServer()
  const { host: hostname, port } = environment
  const app = next({ dev, dir: root, hostname, port, httpServer })
  await app.prepare()
  const handle = app.getRequestHandler()
  // Next registers its upgrade listener at its first request; its own upgrade handler does nothing in this
  // setup.
  const upgrade: Pages['upgrade'] = (request, socket, head) => {
    if (!httpServer.emit('upgrade', request, socket, head)) socket.destroy()
  }
  return { pass: (request, response) => handle(request, response), upgrade, close: () => app.close() }
}

function createHttp(door: Door): Server {
  const limits = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2_000,
    keepAliveTimeout: 10_000,
  }
  const server = createServer(limits, (request, response) => door.enter(request, response))
  server.maxConnections = 512
  server.on('checkContinue', (request, response) => door.enter(request, response, true))
  server.on('upgrade', (request, socket, head) => door.upgrade(request, socket, head))
  return server
}
