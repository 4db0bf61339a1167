/**
 * The product behind its two interfaces, HTTP and the command line, as one plain Node program. Only this file
 * of these tests imports the product, so only this file changes when the product's code moves.
 */
import { readFileSync } from 'node:fs'
import fs from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { main } from '#lib/cli/main'
import { compose } from '#lib/server/compose'
import { createDoor } from '#lib/server/door/door'
import { readEnvironment, rootOf } from '#lib/server/environment/environment'
import { listen } from '#lib/server/listen'
import { lockFolder } from '#lib/server/lock'
import { redactLog } from '#lib/server/secrets/redact'
import { stopOnSignals } from '#lib/server/stop'

type Params = Record<string, string | string[]>
type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>

interface Route {
  /** `agents/[id]/runs` */
  readonly folder: string
  readonly handlers: Readonly<Record<string, Handler | undefined>>
}

/** Either `serve`, or `run` with a JSON list of commands. */
const [part, commands = '[]'] = process.argv.slice(2)
if (part === 'serve') await serve()
else await run(JSON.parse(commands))

/**
 * Runs the commands in turn in this one process; the output of each is followed by a line with its exit code.
 */
async function run(commands: readonly string[][]): Promise<void> {
  for (const args of commands) {
    const code = await main(args)
    process.stdout.write(`\u001e${code}\n`)
  }
}

/**
 * Like the product's `serve`, but with only the API's routes behind the door: no pages, so no page build is
 * needed.
 */
async function serve(): Promise<void> {
  const root = rootOf(process.env, process.cwd())
  const read = readEnvironment(process.env, { cwd: process.cwd(), root })
  if (!read.ok) throw new Error(read.error)
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const lock = lockFolder(read.value.dataFolder)
  const composition = compose({ environment: read.value, version, examples: path.join(root, 'examples') })
  redactLog(console, composition.redact)
  Object.assign(globalThis, { [Symbol.for('loopwright')]: composition.app })
  const routes = await readRoutes(path.join(root, 'app/api'))
  const pass = (request: IncomingMessage, response: ServerResponse) => answer(routes, request, response)
  const door = createDoor({ guard: composition.app.guard, dev: false, pass, upgrade: () => undefined })
  const server = createServer((request, response) => door.enter(request, response))
  const port = await listen(server, read.value)
  composition.app.listening(port)
  stopOnSignals({ door, server, composition, lock, close: async () => undefined })
  composition.recover()
  console.log(`listening on ${port}`)
}

async function readRoutes(folder: string): Promise<Route[]> {
  const files = await fs.readdir(folder, { recursive: true })
  const folders = files.filter((file) => path.basename(file) === 'route.ts').map(path.dirname)
  // The same order as in Next: a fixed segment precedes a parameter, and a parameter precedes a rest.
  const rank = (name: string) => name.replaceAll('[...', '\uffff').replaceAll('[', '\ufffe')
  folders.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  return Promise.all(
    folders.map(async (name) => ({ folder: name, handlers: await import(`../../app/api/${name}/route.ts`) })),
  )
}

async function answer(routes: readonly Route[], request: IncomingMessage, response: ServerResponse) {
  const { method = 'GET', url = '/' } = request
  const address = new URL(url, `http://${request.headers.host}`)
  const found = find(routes, address.pathname)
  // Next calls GET's handler for HEAD.
  const handler = found?.route.handlers[method === 'HEAD' ? 'GET' : method]
  if (found === undefined || handler === undefined) return void response.writeHead(404).end()
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  const asked = new Request(address, {
    method,
    headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: gone.signal,
    ...(method !== 'GET' &&
      method !== 'HEAD' && { body: Readable.toWeb(request) as BodyInit, duplex: 'half' }), // cast: Node has its own type for a web stream
  })
  const { status, headers, body } = await handler(asked, { params: Promise.resolve(found.params) })
  response.writeHead(status, Object.fromEntries(headers))
  if (body === null || method === 'HEAD') return void response.end()
  response.flushHeaders()
  // cast: as above; a reader that leaves is not a failure.
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response).catch(
    () => undefined,
  )
}

function find(routes: readonly Route[], pathname: string): { route: Route; params: Params } | undefined {
  const given = pathname.split('/').slice(2)
  for (const route of routes) {
    const params = paramsOf(route.folder.split('/'), given)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

function paramsOf(names: readonly string[], given: readonly string[]): Params | undefined {
  const params: Params = {}
  for (const [at, name] of names.entries()) {
    const [, dots, key] = /^\[(\.\.\.)?(\w+)\]$/.exec(name) ?? []
    const part = given[at]
    if (part === undefined || (key === undefined && part !== name)) return undefined
    if (dots !== undefined && key !== undefined) return { ...params, [key]: given.slice(at).map(decode) }
    if (key !== undefined) params[key] = decode(part)
  }
  return names.length === given.length ? params : undefined
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
