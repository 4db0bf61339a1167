/** What the tools reach in the test of every tool: an API, a page, a search service and PostgreSQL, all on loopback. */
import { execFile } from 'node:child_process'
import http from 'node:http'
import { promisify } from 'node:util'
import pg from 'pg'
import { startSearchServer } from '../../lib/web/search.fixture'
import { startPostgres } from '../postgres-server'

export const weatherKey = 'key-of-the-weather-4711'

export interface Services {
  /** `http://127.0.0.1:…` of the API and its pages. */
  readonly api: string
  /** The same as operators allow it: `127.0.0.1:…`. */
  readonly host: string
  readonly search: string
  /** The port of PostgreSQL; undefined where there is none for this machine. */
  readonly postgres: number | undefined
  close(): Promise<void>
}

const page = `<!doctype html><title>The Nile</title><main><article><h1>The Nile</h1>
<p>The Nile is a river in Africa. It is 6,650 kilometres long, and flows into the Mediterranean Sea.</p>
<p>Its two branches, the White Nile and the Blue Nile, meet near Khartoum.</p></article></main>`

/** An OpenAPI document of the API. */
export function documentOf(address: string) {
  const item = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const ok = { 200: { description: 'The answer.' } }
  return {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: address }],
    paths: {
      '/items/{id}': { get: { operationId: 'getItem', parameters: [item], responses: ok } },
    },
  }
}

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const json = (value: unknown, status = 200) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  const [, first = '', second = ''] = url.pathname.split('/').map(decodeURIComponent)
  if (first === 'nile') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
  if (first === 'items') return json({ id: Number(second), title: `Item ${second}` })
  if (first === 'orders' && request.method === 'POST') return json({ order: 17, got: JSON.parse(body) }, 201)
  if (first !== 'weather') return json({ error: 'There is no such address.' }, 404)
  if (request.headers['x-key'] !== weatherKey) return json({ error: 'The key is wrong.' }, 401)
  json({ city: second, days: url.searchParams.get('days'), sky: 'sunny' })
}

export async function startServices(): Promise<Services> {
  const api = http.createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const address = api.address()
  const host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  const search = await startSearchServer('searxng', () => [
    { title: 'The Nile', url: `http://${host}/nile`, snippet: 'A river of 6,650 kilometres.' },
  ])
  const bin = await postgresFolder()
  const postgres = bin === undefined ? undefined : await seeded(bin)
  return {
    api: `http://${host}`,
    host,
    search: search.baseUrl,
    postgres: postgres?.port,
    async close() {
      api.closeAllConnections()
      await new Promise((resolve) => api.close(resolve))
      await search.close()
      await postgres?.end()
    },
  }
}

/** In a process of its own: Playwright cannot import modules that know their own address. */
async function postgresFolder(): Promise<string | undefined> {
  const program =
    "const { ensurePostgres } = await import('./lib/setup/postgres.mjs'); console.log((await ensurePostgres()) ?? '')"
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  return stdout.trim().split('\n').at(-1) || undefined
}

export const roles = { reader: 'password-of-the-reader', writer: 'password-of-the-writer' }

async function seeded(bin: string) {
  const server = await startPostgres(bin)
  const admin = new pg.Client({ host: '127.0.0.1', port: server.port, database: 'postgres', ...server.boss })
  await admin.connect()
  await admin.query(`
    create table parcel (id int primary key, city text not null);
    insert into parcel values (1, 'Bern'), (2, 'Oslo');
    create role reader login password '${roles.reader}';
    create role writer login password '${roles.writer}';
    grant select on parcel to reader, writer;
    grant insert, update, delete on parcel to writer;`)
  await admin.end()
  return server
}
