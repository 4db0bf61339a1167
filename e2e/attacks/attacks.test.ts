/**
 * The attacks on the running server, over its API: an agent whose model plays them calls the tools. What must not be
 * read, changed or reached are a file, a variable of the server, and a listener.
 */
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lackOfDeno, lackOfPyodide, testPackages } from '#lib/sandbox/python.fixture'
import { type Outside, secret } from '#lib/sandbox/walls/escapes.fixture'
import type { JsonObject } from '#lib/spec/json'
import type { AgentView } from '#lib/wire/agents'
import type { EventList, RunView } from '#lib/wire/runs'
import type { SandboxView } from '#lib/wire/sandbox'
import { openProduct, type Product, type Server } from '../contract/start'
import { isDeep } from '../test-depth'
import { type Attack, bombs, codeAttacks, fileAttacks, hosts, sqlAttacks } from './corpus.fixture'
import { isOfBubblewrap, type Tier, tiers, usedFor } from './tiers.fixture'

const perTurn = 8
let product: Product
let place = ''
let canary = ''
let hits = 0
const listener = http.createServer((_, response) => {
  hits += 1
  response.end(secret)
})
let port = 0
/** A host that the operator allows, and that sends on to the listener. */
const redirecting = http.createServer((request, response) => {
  const to = new URL(request.url ?? '/', 'http://x').searchParams.get('to') ?? ''
  response.writeHead(302, { location: Buffer.from(to).toString('latin1') }).end()
})
let allowed = ''

const portOf = (server: http.Server) =>
  new Promise<number>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    }),
  )

beforeAll(async () => {
  if (!isDeep) return
  // Deno gives no program a right to files below `/dev`, where the folder of the tests usually is.
  const above = lackOfDeno() === undefined ? path.dirname(testPackages) : os.tmpdir()
  place = fs.mkdtempSync(path.join(above, 'loopwright-attacks-'))
  canary = path.join(place, 'outside', 'canary')
  fs.mkdirSync(path.dirname(canary))
  fs.writeFileSync(canary, secret)
  port = await portOf(listener)
  allowed = `127.0.0.1:${await portOf(redirecting)}`
  product = await openProduct()
}, 120_000)
afterAll(async () => {
  listener.close()
  redirecting.close()
  await product?.end()
  if (place !== '') fs.rmSync(place, { recursive: true, force: true })
})

async function ask<T>({ url }: Server, method: string, at: string, body?: JsonObject): Promise<T> {
  const response = await fetch(`${url}${at}`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.ok, `${method} ${at}: ${text}`).toBe(true)
  return JSON.parse(text)
}

let serial = 0

/** Lets an agent make these calls one after the other, and returns how each ended. */
async function play(server: Server, attacks: readonly Attack[], tools: JsonObject[] = []) {
  const turns: JsonObject[] = []
  for (let at = 0; at < attacks.length; at += perTurn) {
    const calls = attacks.slice(at, at + perTurn).map(({ name, args }): JsonObject => ({ name, args }))
    turns.push({ calls })
  }
  serial += 1
  const config: JsonObject = {
    name: `attacker-${serial}`,
    model: { provider: 'scripted', name: 'script', paceMs: 0, turns: [...turns, { text: 'Done.' }] },
    tools: [
      { use: 'builtin', tools: ['files.*', 'workspace.view', 'sql.execute', 'web.fetch', 'javascript.run'] },
      { use: 'builtin', tools: ['shell.run', 'python.run'], askFirst: false },
      ...tools,
    ],
    policies: [
      { use: 'steps', max: 200 },
      { use: 'timeout', appliesTo: ['*'], seconds: 10 },
    ],
  }
  const agent = await ask<AgentView>(server, 'POST', '/api/agents', { config })
  expect(agent.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const run = await ask<{ id: string }>(server, 'POST', `/api/agents/${agent.id}/runs`, { input: 'Go.' })
  await expect
    .poll(async () => (await ask<RunView>(server, 'GET', `/api/runs/${run.id}`)).finishedAt, {
      timeout: 280_000,
      interval: 200,
    })
    .not.toBeNull()
  const { items: events } = await ask<EventList>(server, 'GET', `/api/runs/${run.id}/events`)
  const ended = events.flatMap((each) => (each.type === 'call.finished' ? [each] : []))
  expect(ended).toHaveLength(attacks.length)
  const end = events.at(-1)
  expect(end).toMatchObject({ type: 'run.finished', status: 'completed' })
  const progress = events.flatMap((each) => (each.type === 'call.progressed' ? [JSON.stringify(each)] : []))
  return { ended, texts: ended.map(({ result }) => result.text), progress }
}

/** The server answers, and nothing outside was read, changed or reached. */
async function expectUntouched(server: Server, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/^LEAK|^root:x/m)
  }
  expect(fs.readFileSync(canary, 'utf8')).toBe(secret)
  expect(fs.readdirSync(path.dirname(canary))).toEqual(['canary'])
  // just-bash has folders of these names in memory.
  for (const each of ['/usr', '/etc', '/bin', '/lib', '/dev'])
    expect(fs.existsSync(`${each}/loopwright-x`)).toBe(false)
  expect(hits).toBe(0)
  await ask(server, 'GET', '/api/health')
  expect(server.errors).not.toContain(secret)
}

const rest = (server: Server) => {
  const folder = path.join(server.dataFolder, 'tmp')
  return fs.existsSync(folder) ? fs.readdirSync(folder).filter((each) => each !== 'deno') : []
}

async function serve({ search, env }: Partial<Pick<Tier, 'search' | 'env'>>): Promise<Server> {
  serial += 1
  const data = path.join(place, `data-${serial}`)
  fs.mkdirSync(data)
  if (lackOfDeno() === undefined) fs.symlinkSync(testPackages, path.join(data, 'walls'))
  return product.serve({
    data,
    env: {
      LOOPWRIGHT_TEST_CANARY: secret,
      LOOPWRIGHT_ALLOW_HOSTS: allowed,
      ...(search && { PATH: search(place) }),
      ...env,
    },
  })
}

describe.runIf(isDeep).each(tiers)('@deep the server $name', (tier) => {
  let server: Server
  let view: SandboxView
  beforeAll(async () => {
    server = await serve(tier)
    view = await ask<SandboxView>(server, 'GET', '/api/sandbox')
  }, 120_000)
  afterAll(() => server?.stop('SIGTERM'))

  const reasonOf = (kind: string) => {
    const [first] = view.kinds.find((each) => each.kind === kind)?.walls ?? []
    return first?.test?.holds === false ? first.test.reason : ''
  }

  test('T8 uses the wall that holds here, and never one that only seems to be there', (context) => {
    const used = ['javascript', 'shell', 'python'].map((kind) => usedFor(view, kind))
    if (tier.isRefused) expect(used).toEqual([null, null, null])
    else if (tier.isBubblewrap) {
      context.skip(!isOfBubblewrap(used[1] ?? null), `not run: ${reasonOf('shell')}`)
      expect(used).toEqual(['quickjs-bubblewrap', 'bubblewrap', 'bubblewrap'])
    } else {
      const python = lackOfPyodide() === undefined ? 'deno-pyodide' : null
      const shell = lackOfDeno() === undefined ? 'deno-just-bash' : 'just-bash'
      expect(used).toEqual(['quickjs', shell, python])
      const readers = lackOfDeno() === undefined ? 'readers-deno' : 'readers-node'
      expect(usedFor(view, 'readers')).toBe(readers)
    }
  })

  test('T5 T6 no code of the escape corpus gets out', { timeout: 300_000 }, async (context) => {
    const isBlocked = tier.isBubblewrap && !isOfBubblewrap(usedFor(view, 'shell'))
    context.skip(isBlocked, `not run: ${reasonOf('shell')}`)
    // Scripts that end processes are for the real wall alone: a stub that was used would end those of this machine.
    expect(isOfBubblewrap(usedFor(view, 'shell'))).toBe(tier.isBubblewrap)
    const outside: Outside = { canary, folder: path.dirname(canary), port, pid: process.pid }
    const attacks = codeAttacks(outside, { python: usedFor(view, 'python') })
    const { ended, texts, progress } = await play(server, attacks)
    await expectUntouched(server, [...texts, ...progress])
    if (tier.isRefused) expect(new Set(ended.map(({ code }) => code))).toEqual(new Set(['unavailable']))
    else expect(ended.filter(({ code }) => code === 'unavailable')).toEqual([])
    for (const { name, metadata } of ended)
      if (name === 'shell.run' && metadata?.wall !== undefined)
        expect(metadata.wall).toMatchObject({ id: usedFor(view, 'shell') })
    expect(rest(server)).toEqual([])
  })

  // A broken bubblewrap leaves the same walls as a missing one, whose bombs take long.
  test.runIf(tier.takesBombs)(
    'T53 bombs end at their limits, and the server answers meanwhile',
    {
      timeout: 300_000,
    },
    async (context) => {
      const isBlocked = tier.isBubblewrap && !isOfBubblewrap(usedFor(view, 'shell'))
      context.skip(isBlocked, `not run: ${reasonOf('shell')}`)
      const known = bombs.filter(({ name }) => name !== 'python.run' || usedFor(view, 'python') !== null)
      let slowest = 0
      const looking = setInterval(async () => {
        const from = performance.now()
        await fetch(`${server.url}/api/health`).catch(() => undefined)
        slowest = Math.max(slowest, performance.now() - from)
      }, 500)
      const { ended, texts } = await play(server, known)
      clearInterval(looking)
      const well = ended.filter(({ status, metadata }) => status === 'ok' && metadata?.exitCode === 0)
      expect(well).toEqual([])
      expect(slowest).toBeLessThan(10_000)
      await expectUntouched(server, texts)
      expect(rest(server)).toEqual([])
    },
  )
})

describe.runIf(isDeep)('@deep the tools of the server', () => {
  let server: Server
  beforeAll(async () => {
    server = await serve({})
  }, 120_000)
  afterAll(() => server?.stop('SIGTERM'))

  test('T29 no path leads a file tool out of the workspace', { timeout: 300_000 }, async () => {
    const kept = fs.readdirSync(server.dataFolder).sort()
    const { texts } = await play(server, fileAttacks(canary))
    await expectUntouched(server, texts)
    expect(texts.join('\n')).not.toContain('SQLite format 3')
    const made = fs.readdirSync(server.dataFolder).filter((each) => !kept.includes(each))
    expect(['artifacts', 'workspaces', 'tmp']).toEqual(expect.arrayContaining(made))
  })

  test('T45 no statement writes, or reads more than rows', { timeout: 300_000 }, async () => {
    const count = { name: 'sql.execute', args: { database: 'retail', sql: 'select count(*) from customers' } }
    const { ended, texts } = await play(server, [...sqlAttacks(canary), count])
    await expectUntouched(server, texts)
    expect(ended.at(-1)).toMatchObject({ status: 'ok' })
    expect(texts.at(-1)).toContain('800')
    const through = ended.slice(0, -1).filter(({ status }) => status === 'ok')
    // Names of tables are no secret: the list of databases shows the sample alone.
    expect(through.map(({ result }) => result.text).join('\n')).not.toContain(server.dataFolder)
  })

  test('T22 T23 T25 no request reaches this machine or a private network', { timeout: 300_000 }, async () => {
    const targets = hosts.map((host) => `http://${host}:${port}/`)
    const through = targets.map((to) => `http://${allowed}/?to=${encodeURIComponent(to)}`)
    const fetches = [...targets, ...through].map((url): Attack => ({ name: 'web.fetch', args: { url } }))
    const entries = [...targets.slice(0, 6), ...through.slice(0, 6)].map((url, index): JsonObject => {
      return { use: 'http', name: `request_${index}`, url }
    })
    const api = {
      use: 'openapi',
      name: 'api',
      baseUrl: `http://127.0.0.1:${port}`,
      operations: [
        { name: 'get', method: 'GET', path: '/', parameters: { type: 'object' }, hash: 'sha256:x' },
      ],
    }
    const calls = [...entries.map((_, index) => `request_${index}`), 'api.get']
    const attacks = [...fetches, ...calls.map((name): Attack => ({ name, args: {} }))]
    const { ended, texts } = await play(server, attacks, [...entries, api])
    await expectUntouched(server, texts)
    expect(ended.filter(({ status }) => status === 'ok')).toEqual([])
  })
})
