/**
 * Checks that a data folder of version 1 opens: everything in it is shown as stored, and unfinished runs
 * continue.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Database } from '#lib/sqlite/driver'
import { createPlaceholders, factsFolder, type Json, knownPart, recorded } from './facts'
import { ask, exchange, settled } from './http'
import { openProduct, type Product, type Server } from './start'

/** The time of the last event in the folder; anything later happened in this test. */
const madeAt = 1795357226422

interface RunRow {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly configHash: string
}

interface Event {
  readonly type: string
  readonly seq: number
  readonly step: number
  readonly hash: string
}

interface Run {
  readonly status: string
  readonly finishedAt: number | null
  readonly seq: number
  readonly answer: string | null
  readonly config: Json
  readonly agent: { readonly configHash: string }
  readonly pending: readonly { readonly callId: string }[]
}

/**
 * Opened in memory, so that SQLite writes no files next to it; the write-ahead mode in its header is not
 * possible there.
 */
function readStored(): Buffer {
  const bytes = fs.readFileSync(path.join(factsFolder, 'data', 'loopwright.db'))
  bytes.fill(1, 18, 20)
  return bytes
}

let product: Product
let server: Server
/** The recorded folder itself, which no server ever opens. */
const stored = new Database(readStored())
const runs = stored
  .prepare(
    "select id, agent ->> 'name' as name, status, agent ->> 'configHash' as configHash from runs order by n",
  )
  .all() as RunRow[] // cast: the selected columns of a file that never changes
const isOver = ({ status }: RunRow) => status !== 'running' && status !== 'waiting'
const ended = runs.filter(isOver)
const eventsOf = (id: string) =>
  stored.prepare('select json from events where run_id = ? order by seq').pluck().all(id) as string[] // cast: one column of text
const runNamed = (name: string) => {
  const found = runs.find((run) => run.name === name)
  if (found === undefined) throw new Error(`The folder has no run of ${name}.`)
  return found.id
}
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')
const canonical = (config: unknown) => `${JSON.stringify(config, null, 2)}\n`
const get = <T>(at: string) => ask<T>(server.url, 'GET', at)
const textOf = async (at: string, headers = {}) =>
  (await exchange(server.url, { method: 'GET', path: at, headers })).text

beforeAll(async () => {
  product = await openProduct()
  server = await product.serve({ from: path.join(factsFolder, 'data') })
})
afterAll(async () => {
  stored.close()
  await product?.end()
})

test('the folder holds runs of every ending, and every kind of event that there is', () => {
  const statuses = new Set(runs.map(({ status }) => status))
  expect([...statuses].sort()).toEqual(
    ['budget', 'cancelled', 'completed', 'failed', 'interrupted', 'max_steps', 'running', 'waiting'].sort(),
  )
  const types = stored.prepare('select distinct type from events order by type').pluck().all()
  expect(types).toEqual(recorded('event-types.json', types))
})

describe('unfinished runs go on', () => {
  const left = runs.filter((run) => !isOver(run))

  test.each([
    ['left-killed-effect', 'a call with an effect that was killed is not run again'],
    ['left-killed-read', 'a call that only reads and was killed is run again'],
    ['left-killed-answer', 'an answer that was killed is asked for again'],
    ['left-expiring', 'an approval whose time was over meanwhile is decided'],
  ])('%s: %s', async (name) => {
    await settled<Run>(server.url, runNamed(name))
    const found = await history(runNamed(name))
    const known = recorded(`left/${name}.json`, found) as Json // cast: it is JSON
    // Fields may be added, such as what a call used.
    expect(knownPart(found, known)).toEqual(known)
  })

  test('left-waiting: a reader too many is told when to come again', async () => {
    const at = `/api/runs/${runNamed('left-waiting')}/events`
    const leave = new AbortController()
    const readers = Array.from({ length: 8 }, () => fetch(server.url + at, { signal: leave.signal }))
    for (const { status } of await Promise.all(readers)) expect(status).toBe(200)
    const { status, headers, text } = await exchange(server.url, { method: 'GET', path: at })
    leave.abort()
    const found = { status, headers, code: JSON.parse(text).error.code }
    expect(found).toEqual(recorded('left/reader-too-many.json', found))
  })

  test('left-waiting: waits until a person has decided, and then ends', async () => {
    const id = runNamed('left-waiting')
    const waiting = await get<Run>(`/api/runs/${id}`)
    expect(waiting.status).toBe('waiting')
    expect(waiting.pending.length).toBe(2)
    for (const { callId } of waiting.pending)
      await ask(server.url, 'POST', `/api/runs/${id}/approvals/${callId}`, { decision: 'approve' })
    const { status, answer } = await settled<Run>(server.url, id)
    expect({ status, answer }).toEqual({ status: 'completed', answer: 'Written.' })
    expect(await history(id)).toEqual(recorded('left/left-waiting.json', await history(id)))
  })

  test('what happened before stays, and what follows has no gap', async () => {
    expect(left.map(({ name }) => name).sort()).toEqual([
      'left-expiring',
      'left-killed-answer',
      'left-killed-effect',
      'left-killed-read',
      'left-waiting',
    ])
    for (const { id, name } of left) {
      const before = eventsOf(id)
      const { items } = await get<{ items: Event[] }>(`/api/runs/${id}/events`)
      const text = await textOf(`/api/runs/${id}/events`, { accept: 'application/json' })
      expect(text.startsWith(`{"items":[${before.join(',')},`), name).toBe(true)
      expect(items.length, name).toBeGreaterThan(before.length)
      expect(
        items.map(({ seq }) => seq),
        name,
      ).toEqual(items.map((_, index) => index + 1))
    }
  })

  /** The later events, with placeholders for what differs between runs of this test. */
  async function history(id: string): Promise<Json> {
    const text = await textOf(`/api/runs/${id}/events`, { accept: 'application/json' })
    const place = createPlaceholders({})
    const { items }: { items: Json[] } = JSON.parse(place(text))
    return items.slice(eventsOf(id).length)
  }
})

describe('what is over is shown as it was stored', () => {
  test('every event, byte for byte, as JSON and as a stream', async () => {
    expect(ended.length).toBeGreaterThan(80)
    for (const { id, name } of ended) {
      const events = eventsOf(id)
      const json = await textOf(`/api/runs/${id}/events`, { accept: 'application/json' })
      expect(json, name).toBe(`{"items":[${events.join(',')}]}`)
      const blocks = events.map((text) => {
        const { type, seq }: Event = JSON.parse(text)
        return `id: ${id}:${seq}\nevent: ${type}\ndata: ${text}\n\n`
      })
      expect(await textOf(`/api/runs/${id}/events`), name).toBe(`retry: 1000\n\n${blocks.join('')}`)
      const resumed = await textOf(`/api/runs/${id}/events`, { 'last-event-id': `${id}:1` })
      expect(resumed, name).toBe(`retry: 1000\n\n${blocks.slice(1).join('')}`)
      const after = { method: 'GET', path: `/api/runs/${id}/events?after=${events.length}` }
      expect((await exchange(server.url, after)).status, name).toBe(204)
    }
  })

  test('every config of a run, byte for byte and with its hash', async () => {
    const texts = new Set(stored.prepare('select config from configs').pluck().all())
    const met = new Set<string>()
    for (const { id, name, configHash } of runs) {
      const { config, agent } = await get<Run>(`/api/runs/${id}`)
      const { canvas: _, ...rest } = config as Record<string, Json> // cast: a config is an object
      expect(texts.has(canonical(config)), name).toBe(true)
      expect(agent.configHash, name).toBe(configHash)
      expect(sha256(canonical(rest)), name).toBe(configHash)
      met.add(canonical(config))
    }
    expect([...met].sort()).toEqual([...texts].sort())
  })

  test('every agent is exported byte for byte, and compiles to the same bytes again', async () => {
    const agents = stored
      .prepare('select id, name, config from agents where removed_at is null order by name')
      .all() as { id: string; name: string; config: string | null }[] // cast: as above
    expect(agents.length).toBeGreaterThan(60)
    for (const { id, name, config } of agents) {
      if (config === null) continue
      expect(await textOf(`/api/agents/${id}/export`), name).toBe(config)
      const { graph } = await ask<{ graph: Json }>(server.url, 'POST', '/api/decompile', {
        config: JSON.parse(config),
      })
      const again = await ask<{ config: Json }>(server.url, 'POST', '/api/compile', { graph })
      expect(canonical(again.config), name).toBe(config)
    }
  })

  test('every request to a model, encoded again from the events to the bytes that were sent', async () => {
    let count = 0
    for (const { id, name } of ended) {
      const requested = new Map<number, string>()
      for (const text of eventsOf(id)) {
        const { type, step, hash }: Event = JSON.parse(text)
        if (type === 'model.requested') requested.set(step, hash)
      }
      for (const [step, hash] of requested) {
        const { request, exact } = await get<{ request: Json; exact: boolean }>(
          `/api/runs/${id}/requests/${step}`,
        )
        expect({ name, step, exact, hash: sha256(JSON.stringify(request)) }).toEqual({
          name,
          step,
          exact: true,
          hash,
        })
        count += 1
      }
    }
    expect(count).toBeGreaterThan(100)
  })
})

describe('lists are the recorded ones', () => {
  const threaded = runs.find(({ name }) => name === 'threaded')?.id
  const paths = [
    'agents',
    'runs?limit=200',
    'runs?status=failed',
    'runs?status=interrupted',
    'runs?search=times%20seven&limit=5',
    'threads?limit=200',
    'providers',
    'secrets',
    'settings',
    'databases',
  ]

  beforeAll(async () => {
    for (const { id, name } of runs) if (name !== 'left-waiting') await settled<Run>(server.url, id)
    const id = runNamed('left-waiting')
    for (const { callId } of (await get<Run>(`/api/runs/${id}`)).pending)
      await ask(server.url, 'POST', `/api/runs/${id}/approvals/${callId}`, { decision: 'approve' })
    await settled<Run>(server.url, id)
  })

  test.each(paths)('GET /api/%s', async (at) => {
    const found = lasting(await get<Json>(`/api/${at}`))
    const known = recorded(`lists/${at.replace(/\W+/g, '-')}.json`, found) as Json // cast: a JSON file
    expect(withoutPlaces(knownPart(found, known))).toEqual(withoutPlaces(known))
  })

  test('a thread with its files, and the files themselves', async () => {
    const { threadId } = await get<{ threadId: string }>(`/api/runs/${threaded}`)
    const { items } = await get<{ items: { path: string }[] }>(`/api/threads/${threadId}/files`)
    const files = await Promise.all(
      items.map(async (item) => ({
        ...item,
        sha256: sha256(await textOf(`/api/threads/${threadId}/files/${encodeURI(item.path)}`)),
      })),
    )
    const found = lasting({ thread: await get<Json>(`/api/threads/${threadId}`), files })
    expect(found).toEqual(recorded('lists/thread.json', found))
  })

  test('every artifact has its content', async () => {
    const artifacts = stored.prepare('select id, sha256 from artifacts order by id').all() as {
      id: string
      sha256: string
    }[] // cast: as above
    expect(artifacts.length).toBeGreaterThan(10)
    for (const artifact of artifacts) {
      const kept = await exchange(server.url, { method: 'GET', path: `/api/artifacts/${artifact.id}` })
      expect(sha256(kept.bytes), artifact.id).toBe(artifact.sha256)
    }
  })

  test('versions and the tree of forks', async () => {
    const { agentId } = await get<{ agentId: string }>(`/api/runs/${runNamed('versioned')}`)
    const found = lasting({
      versions: await get<Json>(`/api/agents/${agentId}/versions`),
      branches: await get<Json>(`/api/runs/${runNamed('forked')}/branches`),
    })
    expect(found).toEqual(recorded('lists/versions-and-branches.json', found))
  })

  test('the server has written nothing to its error output', () => {
    expect(server.errors).toBe('')
  })
})

/** Without the places that the layout finds for the nodes of a digest. */
function withoutPlaces(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => withoutPlaces(each) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const isPlaced = 'kind' in value && typeof value.x === 'number' && typeof value.y === 'number'
  const { x, y, ...rest } = value
  const entries = Object.entries(isPlaced ? rest : value).map(([key, each]) => [key, withoutPlaces(each)])
  return Object.fromEntries(entries)
}

/** The folder's content exactly; whatever this test created is replaced by placeholders. */
function lasting(value: Json): Json {
  const known = JSON.stringify(value)
    .replaceAll(server.dataFolder, '<data>')
    .replace(/"(\w*[aA]t)":(\d{13})/g, (all, key, at) => (Number(at) > madeAt ? `"${key}":"<time>"` : all))
    .replace(/"(version|url|sandbox)":"[^"]*"/g, '"$1":"<free>"')
  return JSON.parse(known)
}
