import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { cookieName, cookieValue } from '#lib/server/door/token'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import { type KeyUse, keyUse } from '#lib/spec/agent-key'
import { routes } from './routes'
import type { RouteRow } from './row'

const rows: readonly RouteRow[] = routes
const token = 'correct-horse-battery-staple'
const operator = { authorization: `Bearer ${token}` }
const config = {
  name: 'lent',
  instructions: 'A planted instruction.',
  model: { provider: 'scripted', name: 'script', turns: [{ text: 'Hello.' }] },
}

let house: House
let agentId = ''
beforeEach(async () => {
  house = openHouse({ token })
  agentId = (await json('/api/agents', { method: 'POST', body: { config }, headers: operator })).id
  await json('/api/agents/{id}/versions', { method: 'POST', params: { id: agentId }, headers: operator })
})
afterEach(() => house.end())

async function json(path: string, asked: Ask) {
  return await (await ask(path, asked)).json()
}

async function newKey(use: KeyUse, more: object = {}, id = agentId): Promise<Record<string, string>> {
  const body = { name: use, use, ...more }
  const made = await json('/api/agents/{id}/keys', {
    method: 'POST',
    params: { id },
    body,
    headers: operator,
  })
  return { authorization: `Bearer ${made.key}` }
}

async function begin(headers: Record<string, string>, body: object = {}) {
  return ask('/api/agents/{id}/runs', {
    method: 'POST',
    params: { id: agentId },
    body: { input: 'Hi', ...body },
    headers,
  })
}

async function refusal(answer: Response | Promise<Response>) {
  const response = await answer
  return [response.status, (await response.json()).error.code]
}

/** What each use of a key may do: the whole list, so that a new row is not opened by accident. */
const allowed: Readonly<Record<KeyUse, readonly string[]>> = {
  mcp: ['GET /api/key', 'POST /api/mcp/{name}'],
  api: [
    'POST /api/agents/{id}/runs',
    'GET /api/key',
    'GET /api/runs/{id}',
    'POST /api/runs/{id}/withdraw',
    'GET /api/runs/{id}/events',
    'POST /api/runs/{id}/cancel',
    'POST /api/runs/{id}/replies/{callId}',
    'GET /api/threads',
    'POST /api/threads',
    'GET /api/threads/{id}',
    'GET /api/threads/{id}/files',
    'POST /api/threads/{id}/files',
    'GET /api/threads/{id}/files/{...path}',
    'PUT /api/threads/{id}/descriptions/{...path}',
    'GET /api/artifacts/{id}',
  ],
  chat: [
    'POST /api/agents/{id}/runs',
    'GET /api/key',
    'GET /api/runs/{id}',
    'POST /api/runs/{id}/withdraw',
    'PUT /api/runs/{id}/feedback',
    'DELETE /api/runs/{id}/feedback',
    'GET /api/runs/{id}/events',
    'POST /api/runs/{id}/cancel',
    'POST /api/runs/{id}/replies/{callId}',
    'GET /api/threads',
    'POST /api/threads',
    'GET /api/threads/{id}',
    'PUT /api/threads/{id}',
    'GET /api/threads/{id}/files',
    'POST /api/threads/{id}/files',
    'GET /api/threads/{id}/files/{...path}',
    'PUT /api/threads/{id}/descriptions/{...path}',
    'GET /api/artifacts/{id}',
  ],
}

const nameOf = ({ method, path }: RouteRow) => `${method} ${path}`

describe('T11 T19 what a key may do, over all routes', () => {
  test.each(keyUse.options)('the rows open exactly these routes for a key of use %s', (use) => {
    expect(
      rows
        .filter((row) => row.keys?.uses.includes(use))
        .map(nameOf)
        .sort(),
    ).toEqual(allowed[use].toSorted())
  })

  test.each(keyUse.options)('every other route refuses a key of use %s, and does nothing', async (use) => {
    const key = await newKey(use, { requestsPerMinute: 6_000 })
    const run = await (await begin(operator)).json()
    const before = JSON.stringify(await json('/api/agents', { headers: operator }))
    const signedIn = { ...key, cookie: `${cookieName}=${cookieValue(token)}` }
    const opened: string[] = []
    for (const row of rows) {
      if (allowed[use].includes(nameOf(row))) continue
      const isRun = row.path.startsWith('/api/runs/')
      const params = { id: isRun ? run.id : agentId, callId: 'c', version: '1', step: '1', name: 'lent' }
      for (const headers of [key, signedIn]) {
        const answer = await ask(row.path, {
          method: row.method,
          params,
          headers,
          ...(row.body !== undefined && { body: row.example ?? {} }),
        })
        const code = (await answer.json()).error?.code
        if (answer.status !== 403 || code !== 'forbidden') opened.push(`${nameOf(row)}: ${answer.status}`)
      }
    }
    expect(opened).toEqual([])
    expect(JSON.stringify(await json('/api/agents', { headers: operator }))).toBe(before)
  })

  test.each(keyUse.options)('what belongs to others looks like nothing to a key of use %s', async (use) => {
    const key = await newKey(use)
    const other = await newKey('chat')
    const foreign = [await (await begin(operator)).json(), await (await begin(other)).json()]
    const wrong: string[] = []
    for (const row of rows) {
      if (!allowed[use].includes(nameOf(row)) || row.keys?.reach === 'own') continue
      const ids = foreign.flatMap(({ id, threadId }) => [id, threadId, 'nothing'])
      const answers = new Set<string>()
      for (const id of ids) {
        const answer = await ask(row.path, {
          method: row.method,
          params: { id, name: id },
          headers: key,
          ...(row.body !== undefined && { body: row.example ?? {} }),
        })
        answers.add(`${answer.status} ${await answer.text()}`)
      }
      const [only = '', ...more] = answers
      if (more.length > 0 || !/^(403|404) /.test(only))
        wrong.push(`${nameOf(row)}: ${[...answers].join(' | ')}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('a key at the door', () => {
  test('one that is not known or revoked is refused, whatever cookie comes with it', async () => {
    const cookie = `${cookieName}=${cookieValue(token)}`
    const unknown = { authorization: `Bearer lwk_${'x'.repeat(43)}`, cookie }
    expect(await refusal(ask('/api/key', { headers: unknown }))).toEqual([401, 'unauthorized'])
    expect(await refusal(ask('/api/agents', { headers: unknown }))).toEqual([401, 'unauthorized'])
    const key = await newKey('api')
    const { items } = await json('/api/agents/{id}/keys', { params: { id: agentId }, headers: operator })
    expect((await ask('/api/key', { headers: key })).status).toBe(200)
    const params = { id: agentId, keyId: items[0].id }
    const revoked = await ask('/api/agents/{id}/keys/{keyId}', {
      method: 'DELETE',
      params,
      headers: operator,
    })
    expect(revoked.status).toBe(204)
    expect(await refusal(ask('/api/key', { headers: key }))).toEqual([401, 'unauthorized'])
  })

  test('a server without a token gives a key no more than one with a token', async () => {
    const { folder } = house
    await house.leave()
    house = openHouse({ folder })
    const made = await json('/api/agents/{id}/keys', {
      method: 'POST',
      params: { id: agentId },
      body: { name: 'k', use: 'api' },
    })
    const key = { authorization: `Bearer ${made.key}` }
    expect(await refusal(ask('/api/agents', { headers: key }))).toEqual([403, 'forbidden'])
    const unknown = { authorization: `Bearer lwk_${'x'.repeat(43)}` }
    expect(await refusal(ask('/api/agents', { headers: unknown }))).toEqual([401, 'unauthorized'])
  })

  test('Host and Origin are checked as for every request', async () => {
    const key = await newKey('api')
    expect(await refusal(ask('/api/key', { headers: { ...key, host: 'evil.test' } }))).toEqual([
      403,
      'forbidden_host',
    ])
    expect(await refusal(ask('/api/key', { headers: { ...key, origin: 'https://evil.test' } }))).toEqual([
      403,
      'forbidden_origin',
    ])
  })

  test('the text of a key is in the answer that makes it, and in no other, and not in the database', async () => {
    const { authorization } = await newKey('api')
    const text = authorization?.slice('Bearer '.length) ?? ''
    const list = JSON.stringify(
      await json('/api/agents/{id}/keys', { params: { id: agentId }, headers: operator }),
    )
    expect(list).not.toContain(text)
    expect(list).toContain(text.slice(-4))
    const fs = await import('node:fs')
    for (const name of fs.readdirSync(house.folder).filter((each) => each.startsWith('loopwright.db')))
      expect(fs.readFileSync(`${house.folder}/${name}`).includes(text)).toBe(false)
  })
})

describe('a run of a key', () => {
  test('is one of the published version, which its holder reads, cancels and continues', async () => {
    const key = await newKey('api')
    const draft = { ...config, model: { ...config.model, turns: [{ text: 'The draft.' }] } }
    await ask('/api/agents/{id}', {
      method: 'PUT',
      params: { id: agentId },
      body: { revision: 1, config: draft },
      headers: operator,
    })
    const begun = await begin(key)
    expect(begun.status).toBe(201)
    const { id, threadId } = await begun.json()
    const events = await (
      await ask('/api/runs/{id}/events', {
        params: { id },
        headers: { ...key, accept: 'text/event-stream' },
      })
    ).text()
    expect(events).toContain('Hello.')
    expect(events).not.toContain('The draft.')
    const run = await json('/api/runs/{id}', { params: { id }, headers: key })
    expect([run.answer, run.agent.version, run.config, run.origins]).toEqual(['Hello.', 1, {}, {}])
    const cancelled = await json('/api/runs/{id}/cancel', { method: 'POST', params: { id }, headers: key })
    expect([cancelled.status, cancelled.config]).toEqual(['completed', {}])
    expect((await begin(key, { threadId })).status).toBe(201)
    const { items } = await json('/api/threads', { headers: key })
    expect(items.map((each: { id: string }) => each.id)).toEqual([threadId])
    expect((await json('/api/threads', { headers: await newKey('chat') })).items).toEqual([])
  })

  test('cannot choose the version, the settings or the dialogue of the agent', async () => {
    const key = await newKey('api')
    for (const body of [
      { version: 'draft' },
      { overrides: { instructions: 'Other.' } },
      { history: [] },
      { purpose: 'test' },
    ])
      expect(await refusal(begin(key, body))).toEqual([403, 'forbidden'])
    const foreign = await (await begin(operator)).json()
    expect(await refusal(begin(key, { threadId: foreign.threadId }))).toEqual([404, 'not_found'])
    expect(await refusal(begin(key, { threadId: foreign.threadId, whenBusy: 'steer' }))).toEqual([
      404,
      'not_found',
    ])
    expect(await refusal(begin(key, { replaces: foreign.id }))).toEqual([404, 'not_found'])
  })

  test('is refused with a clear reason while no version is published', async () => {
    const { id } = await json('/api/agents', {
      method: 'POST',
      body: { config: { ...config, name: 'unpublished' } },
      headers: operator,
    })
    const key = await newKey('api', {}, id)
    const answer = await ask('/api/agents/{id}/runs', {
      method: 'POST',
      params: { id },
      body: { input: 'Hi' },
      headers: key,
    })
    expect([answer.status, (await answer.json()).error]).toEqual([
      422,
      {
        code: 'not_published',
        message:
          'No version of this agent is published, and a key uses the published version. The operator can publish one in the builder.',
      },
    ])
  })

  test('counts toward the runs of the day, also after the run was deleted', async () => {
    const key = await newKey('api', { runsPerDay: 1 })
    const { id } = await (await begin(key)).json()
    await ask('/api/runs/{id}/events', { params: { id }, headers: { ...key, accept: 'text/event-stream' } })
    await ask('/api/runs/delete', { method: 'POST', body: { ids: [id] }, headers: operator })
    const refused = await begin(key)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(10)
    expect((await refused.json()).error.message).toBe('This key has used its 1 runs of today (UTC).')
  })

  test('more requests than the key may make in a minute are refused with the time to wait', async () => {
    const key = await newKey('api', { requestsPerMinute: 2 })
    expect((await ask('/api/key', { headers: key })).status).toBe(200)
    expect((await ask('/api/key', { headers: key })).status).toBe(200)
    const refused = await ask('/api/key', { headers: key })
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([
      429,
      expect.toSatisfy((seconds: number) => seconds >= 1 && seconds <= 60),
    ])
  })
})
