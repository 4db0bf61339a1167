/** A server in a tier of the test of every tool, with an agent that has every tool. */
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import type { SandboxView } from '../../lib/wire/sandbox'
import { call, scriptedConfig, type Turn } from '../api'
import { type OwnServer, ownServer } from '../own-server'
import { documentOf, roles, type Services, weatherKey } from './services'
import type { ToolTier } from './tiers'

/** Deno and Pyodide, which `npm run test:deep` installs. */
const packages = path.resolve('node_modules/.cache/loopwright/sandbox/walls')

export interface Surroundings {
  readonly server: OwnServer
  readonly sandbox: SandboxView
  dispose(): Promise<void>
}

/** A server in the tier, with everything set up that tools need. */
export async function openTier(
  { hasBubblewrap, hasPackages }: ToolTier,
  services: Services,
): Promise<Surroundings> {
  const place = mkdtempSync(path.join(tmpdir(), 'loopwright-e2e-tier-'))
  const server = await ownServer({
    LOOPWRIGHT_ALLOW_HOSTS: services.host,
    ...(!hasBubblewrap && { PATH: place }),
  })
  if (hasPackages && existsSync(packages)) symlinkSync(packages, path.join(server.dataFolder, 'walls'))
  const dispose = async () => {
    await server.dispose()
    rmSync(place, { recursive: true, force: true })
  }
  try {
    await server.start()
    await setUp(server, services, place)
    return { server, sandbox: await call<SandboxView>(`${server.url}/api/sandbox`), dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

async function setUp({ url, dataFolder }: OwnServer, services: Services, place: string): Promise<void> {
  const put = (at: string, body: object) => call(`${url}/api/${at}`, body, { method: 'PUT', status: 200 })
  await put('secrets/WEATHER_KEY', { value: weatherKey, origins: [services.api] })
  await put('web-search', { engine: 'searxng', baseUrl: services.search })
  // The sample is made when it is first used; the tools may write to a copy of it.
  const tables = { args: { database: 'retail' } }
  await call(`${url}/api/tools/schema.list_tables/try`, tables, { status: 200 })
  const shop = path.join(place, 'shop.db')
  copyFileSync(path.join(dataFolder, 'databases', 'retail.db'), shop)
  await put('databases', { name: 'shop', path: shop, writable: true })
  if (services.postgres !== undefined)
    await put('databases/parcels/connection', {
      ...{ kind: 'postgresql', host: '127.0.0.1', port: services.postgres, database: 'postgres', tls: 'off' },
      ...{ user: 'reader', password: roles.reader, write: { user: 'writer', password: roles.writer } },
    })
  await call(`${url}/api/knowledge`, { name: 'handbook' })
  await send(
    `${url}/api/knowledge/handbook/files?name=holidays.md`,
    strToU8('# Holidays\n\nEveryone has 30 days of holiday a year.\n'),
  )
  const skill = zipSync({
    'line-counter/SKILL.md': strToU8(
      '---\nname: line-counter\ndescription: Counts lines.\n---\n\nCount the lines of a file with count.sh.\n',
    ),
    'line-counter/count.sh': strToU8('wc -l < "$1"\n'),
  })
  await send(`${url}/api/skills`, skill)
  const inPython = zipSync({
    'adder/SKILL.md': strToU8('---\nname: adder\ndescription: Adds.\n---\n\nAdd with add.py.\n'),
    'adder/add.py': strToU8('print("The sum is", 40 + 2)\n'),
  })
  await send(`${url}/api/skills`, inPython)
}

/** Sends bytes; fails the test unless they are taken. */
export async function send<T>(url: string, body: Uint8Array): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** The files that tools work on. */
export const givenFiles: Readonly<Record<string, Buffer>> = {
  'sales.csv': Buffer.from('region,amount\nNorth,120\nSouth,80\nNorth,40\n'),
  'sales.xlsx': readFileSync('examples/analyst/sales.xlsx'),
}

/** Puts them into the workspace of a thread; returns their ids. */
export async function giveFiles(url: string, threadId: string): Promise<string[]> {
  const ids: string[] = []
  for (const [name, content] of Object.entries(givenFiles))
    ids.push((await send<{ id: string }>(`${url}/api/threads/${threadId}/files?name=${name}`, content)).id)
  return ids
}

export const helper = scriptedConfig('helper', [{ text: 'The note is written.' }], {
  description: 'Writes notes.',
})

export const notebook = (turns: readonly Turn[]) =>
  scriptedConfig('planner', turns, { tools: [{ use: 'plan', verbs: 'notebook' }] })

/** An agent whose skill has a script in Python and no other. */
export const adder = (turns: readonly Turn[], skill: { readonly name: string; readonly hash: string }) =>
  scriptedConfig('adding', turns, { skills: [skill] })

/** The skills of the server by their names, each with its version. */
export async function skillsOf(url: string): Promise<ReadonlyMap<string, { name: string; hash: string }>> {
  const { items } = await call<{ items: { name: string; hash: string }[] }>(`${url}/api/skills`)
  return new Map(items.map(({ name, hash }) => [name, { name, hash }]))
}

export interface EveryTool {
  readonly url: string
  readonly services: Services
  readonly turns: readonly Turn[]
}

/** An agent with every tool that needs nothing but this machine. */
export async function everyTool({ url, services, turns }: EveryTool) {
  const counter = (await skillsOf(url)).get('line-counter')
  const document = { name: 'shop', text: JSON.stringify(documentOf(services.api)) }
  await call(`${url}/api/openapi-documents`, document, { status: 200 })
  const { hash, items } = await call<{ hash: string; items: object[] }>(
    `${url}/api/openapi-documents/shop/operations`,
    { names: ['getItem'] },
    { status: 200 },
  )
  const builtin = [
    'files.*',
    'workspace.*',
    'math.*',
    'time.*',
    'json.*',
    'chart.*',
    'report.*',
    'schema.*',
    'sql.*',
    'javascript.*',
    'web.*',
    'research.*',
    'human.*',
    'shell.*',
    'python.*',
  ]
  const text = { type: 'string' }
  const object = (properties: object) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  return scriptedConfig('every-tool', [], {
    model: {
      ...{ provider: 'scripted', name: 'script', paceMs: 0, turns },
      completions: [
        { purpose: 'Search queries', text: '{"queries": ["length of the Nile"]}' },
        { purpose: 'Report', text: 'The Nile is 6,650 kilometres [1] long.' },
      ],
    },
    tools: [
      { use: 'builtin', tools: builtin },
      {
        use: 'code',
        name: 'text.slugify',
        description: 'Makes a slug.',
        parameters: object({ text }),
        source: "return args.text.toLowerCase().replaceAll(' ', '-')",
        risk: 'read',
      },
      {
        use: 'code',
        name: 'sales.total',
        language: 'python',
        description: 'Sums the amounts.',
        parameters: object({ file: text }),
        source:
          'def run(args):\n    return {"total": sum(row["amount"] for row in load_table(args["file"]))}\n',
        risk: 'read',
      },
      {
        use: 'http',
        name: 'weather.get',
        description: 'The weather.',
        url: `${services.api}/weather/{city}`,
        parameters: object({ city: text, days: { type: 'integer' } }),
        query: { days: { param: 'days' } },
        headers: { 'x-key': { secret: 'WEATHER_KEY' } },
      },
      {
        use: 'http',
        name: 'orders.add',
        description: 'Orders.',
        method: 'POST',
        url: `${services.api}/orders`,
        parameters: object({ item: text, count: { type: 'integer' } }),
        body: { lines: [{ item: { param: 'item' }, count: { param: 'count' } }] },
      },
      {
        use: 'openapi',
        name: 'shop',
        document: { name: 'shop', hash },
        baseUrl: services.api,
        operations: items,
      },
      { use: 'memory', mode: 'agent' },
      { use: 'knowledge', collections: ['handbook'] },
      { use: 'plan' },
      { use: 'agent', agent: 'helper', version: 'draft' },
    ],
    skills: counter === undefined ? [] : [counter],
    policies: [{ use: 'steps', max: 200 }],
  })
}
