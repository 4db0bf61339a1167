import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import { runEvent } from '#lib/spec/event'
import { emptyGraph } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import type { SseEvent } from '#lib/spec/sse'
import { createdRun, eventList, runList, runView, stepRequest } from '#lib/wire/runs'
import { decodeEvents } from '#lib/wire/sse'
import { threadList, threadView } from '#lib/wire/threads'

const begin = '/api/agents/{id}/runs'
const cancel = '/api/runs/{id}/cancel'
const events = '/api/runs/{id}/events'
const requests = '/api/runs/{id}/requests/{step}'
const run = '/api/runs/{id}'
const runs = '/api/runs'
const thread = '/api/threads/{id}'
const threads = '/api/threads'

let house: House
let agentId = ''

const call = { name: 'math.calculate', args: { expression: '6*7' } }
const model: JsonObject = {
  provider: 'scripted',
  name: 'script',
  turns: [{ text: 'Let me see.', calls: [call] }, { text: 'It is 42.' }],
}
const tools = [{ use: 'builtin', tools: ['math.calculate'] }]
/** Never answers by itself. */
const stalling = { provider: 'scripted', name: 'script', turns: [{ fault: { stallMs: 60_000 } }] }

beforeEach(() => {
  house = openHouse()
  agentId = house.app.agents.create({ config: { name: 'adder', model, tools } }).id
})
afterEach(() => house.end())

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const start = (body: unknown, more: Ask = {}) => ask(begin, of(agentId, { method: 'POST', body, ...more }))
const watch = (id: string, more: Ask = {}) => ask(events, of(id, more))

async function read(response: Response): Promise<SseEvent[]> {
  const sent: SseEvent[] = []
  if (response.body !== null) for await (const event of decodeEvents(response.body)) sent.push(event)
  return sent
}

/** A run that is over, and its id. */
async function finished(): Promise<{ id: string; threadId: string; sent: SseEvent[] }> {
  const { id, threadId } = createdRun.parse(await (await start({ input: '6*7?' })).json())
  return { id, threadId, sent: await read(await watch(id)) }
}

async function codeOf(response: Response | Promise<Response>) {
  const answer = await response
  return [answer.status, (await answer.json()).error?.code]
}

describe('a run', () => {
  test('begins, is watched to its end, and looks as the API says', async () => {
    const response = await start({ input: '6*7?' })
    expect(response.status).toBe(201)
    const { id, threadId } = createdRun.parse(await response.json())
    const sent = await read(await watch(id))
    expect(sent.map((each) => each.id)).toEqual(sent.map((_, index) => `${id}:${index + 1}`))
    for (const { event, data } of sent) expect(runEvent.parse(JSON.parse(data)).type).toBe(event)
    expect(sent.at(-1)?.event).toBe('run.finished')
    const view = runView.parse(await (await ask(run, of(id))).json())
    expect(view).toMatchObject({
      threadId,
      status: 'completed',
      answer: 'It is 42.',
      output: null,
      pending: [],
      forkedFrom: null,
    })
    expect(view.seq).toBe(sent.length)
    const items = eventList.parse(
      await (await watch(id, { headers: { accept: 'application/json' } })).json(),
    ).items
    expect(items).toEqual(sent.map((each) => JSON.parse(each.data)))
  })

  test('streams at once to who asks for it', async () => {
    const response = await start({ input: '6*7?' }, { headers: { accept: 'text/event-stream' } })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    const sent = await read(response)
    expect([sent[0]?.event, sent.at(-1)?.event]).toEqual(['run.queued', 'run.finished'])
  })

  test('tells what the model was sent at a step', async () => {
    const { id } = await finished()
    const at = (step: string) => ask(requests, { params: { id, step } })
    expect(stepRequest.parse(await (await at('2')).json()).exact).toBe(true)
    for (const step of ['3', '0', 'x']) expect(await codeOf(at(step))).toEqual([404, 'not_found'])
  })

  test.each<[string, unknown, number, string]>([
    ['T4 another config', { input: 'x', config: {} }, 400, 'bad_request'],
    ['T4 other tools', { input: 'x', tools: [] }, 400, 'bad_request'],
    ['T4 another model outside of overrides', { input: 'x', model: {} }, 400, 'bad_request'],
    ['T19 an id of its own', { input: 'x', id: 'run_1' }, 400, 'bad_request'],
    ['no question', { input: '' }, 400, 'bad_request'],
    ['a question that is no text', { input: 7 }, 400, 'bad_request'],
    ['a version that is not there', { input: 'x', version: 9 }, 404, 'not_found'],
    ['a thread that is not there', { input: 'x', threadId: 'thread_0' }, 404, 'not_found'],
    [
      'an override that does not fit',
      { input: 'x', overrides: { model: { provider: 'nobody' } } },
      422,
      'unprocessable',
    ],
  ])('%s is refused', async (_, body, status, code) => {
    expect(await codeOf(start(body))).toEqual([status, code])
    expect(runList.parse(await (await ask(runs)).json()).items).toEqual([])
  })

  test.each<[unknown, string, string]>([
    [{}, 'input', '"input" is missing.'],
    [{ input: '' }, 'input', 'At "input": This must not be empty.'],
    [{ input: ' \n\t' }, 'input', 'At "input": This must not be empty.'],
    [{ input: 7 }, 'input', 'At "input": This must be a text, not a number.'],
    [{ input: 'x', tools: [] }, 'tools', 'Unknown key "tools".'],
    [
      { input: 'x', overrides: { maxSteps: 0 } },
      'overrides/maxSteps',
      'At "overrides/maxSteps": This must be more than 0.',
    ],
  ])('%j is refused in plain words', async (body, path, message) => {
    expect((await (await start(body)).json()).error).toEqual({ code: 'bad_request', message, path })
  })

  test('a query is refused in plain words too', async () => {
    const told = async (query: string) => (await (await ask(runs, { query })).json()).error.message
    expect(await told('?limit=x')).toBe('At "limit": This must be a number, not a text.')
    expect(await told('?status=great')).toMatch(/^At "status": This must be "queued", .* not "great"\.$/)
  })

  test('lists are searched by words of the question, and say how many there are on every page', async () => {
    for (const input of ['Which COUNTRY?', 'which country sold 100%', 'something else'])
      await read(await start({ input }, { headers: { accept: 'text/event-stream' } }))
    const found = async (query: string) => {
      const { items, total } = runList.parse(await (await ask(runs, { query })).json())
      return [items.map(({ input }) => input), total]
    }
    expect(await found('?search=Country%20which&limit=1')).toEqual([['which country sold 100%'], 2])
    expect(await found('?search=100%25')).toEqual([['which country sold 100%'], 1])
    expect(await found('?search=%25')).toEqual([['which country sold 100%'], 1])
    expect(await found(`?agent=${agentId}&status=completed`)).toMatchObject([{ length: 3 }, 3])
    expect(await found('?search=nowhere')).toEqual([[], 0])
    expect(await codeOf(ask(runs, { query: '?search=' }))).toEqual([400, 'bad_request'])
  })

  test('half a character in a question becomes a whole one before anything is stored', async () => {
    const { id } = createdRun.parse(await (await start({ input: 'a \ud83d b' })).json())
    const sent = await read(await watch(id))
    expect(JSON.parse(sent[0]?.data ?? '').input).toBe('a \ufffd b')
    expect((await (await ask(run, of(id))).json()).input).toBe('a \ufffd b')
    const asked = await ask(requests, { params: { id, step: '1' } })
    expect(stepRequest.parse(await asked.json()).exact).toBe(true)
  })

  test('an agent that does not compile, or is gone, does not run', async () => {
    const { id } = house.app.agents.create({
      graph: emptyGraph,
    })
    const response = await ask(begin, of(id, { method: 'POST', body: { input: 'x' } }))
    const { error } = await response.json()
    expect([response.status, error.code]).toEqual([422, 'not_compiled'])
    expect(error.detail.diagnostics[0].severity).toBe('error')
    house.app.agents.remove(id)
    expect(await codeOf(ask(begin, of(id, { method: 'POST', body: { input: 'x' } })))).toEqual([
      404,
      'not_found',
    ])
  })

  test('a busy thread and another agent’s are refused; cancelling twice is the same answer', async () => {
    const slow = createdRun.parse(await (await start({ input: 'x', overrides: { model: stalling } })).json())
    expect(await codeOf(start({ input: 'y', threadId: slow.threadId }))).toEqual([409, 'thread_busy'])
    expect(await codeOf(ask(thread, of(slow.threadId, { method: 'DELETE' })))).toEqual([409, 'thread_busy'])
    const other = house.app.agents.create({ config: { name: 'other' } }).id
    const body = { input: 'y', threadId: slow.threadId }
    expect(await codeOf(ask(begin, of(other, { method: 'POST', body })))).toEqual([
      409,
      'thread_of_other_agent',
    ])

    expect((await ask(cancel, of(slow.id, { method: 'POST' }))).status).toBe(200)
    const sent = await read(await watch(slow.id))
    expect(JSON.parse(sent.at(-1)?.data ?? '')).toMatchObject({ type: 'run.finished', status: 'cancelled' })
    const again = runView.parse(await (await ask(cancel, of(slow.id, { method: 'POST', body: {} }))).json())
    expect(again.status).toBe('cancelled')
    expect(await codeOf(ask(cancel, of('run_0', { method: 'POST' })))).toEqual([404, 'not_found'])
    expect(await codeOf(ask(cancel, of(slow.id, { method: 'POST', body: { reason: 'x' } })))).toEqual([
      400,
      'bad_request',
    ])
  })

  test('lists are narrowed and paged, threads hold their runs', async () => {
    const first = await finished()
    await read(
      await start({ input: 'again', threadId: first.threadId }, { headers: { accept: 'text/event-stream' } }),
    )
    const all = runList.parse(await (await ask(runs, { query: `?agent=${agentId}&status=completed` })).json())
    expect(all.items).toHaveLength(2)
    expect(all.items[1]?.id).toBe(first.id)
    const page = runList.parse(await (await ask(runs, { query: '?limit=1' })).json())
    expect(page.items).toHaveLength(1)
    const rest = runList.parse(await (await ask(runs, { query: `?limit=1&cursor=${page.next}` })).json())
    expect(rest.items[0]?.id).toBe(first.id)
    expect(runList.parse(await (await ask(runs, { query: '?status=failed' })).json()).items).toEqual([])
    for (const query of ['?status=great', '?cursor=nonsense', '?limit=0', '?page=2', '?agent=a&agent=b']) {
      expect(await codeOf(ask(runs, { query }))).toEqual([400, 'bad_request'])
    }
    const list = threadList.parse(await (await ask(threads, { query: `?agent=${agentId}` })).json())
    expect(list.items).toMatchObject([{ id: first.threadId, agentId }])
    const view = threadView.parse(await (await ask(thread, of(first.threadId))).json())
    expect(view.runs.map((each) => each.input)).toEqual(['6*7?', 'again'])
    expect((await ask(thread, of(first.threadId, { method: 'DELETE' }))).status).toBe(204)
    expect(await codeOf(ask(run, of(first.id)))).toEqual([404, 'not_found'])
  })
})

test('S3-02 agents are registered, listed and loaded by id, and a saved change holds from the next run on', async () => {
  const answering = (text: string) => ({
    name: 'speaker',
    model: { provider: 'scripted', name: 'script', turns: [{ text }] },
  })
  const created = await ask('/api/agents', { method: 'POST', body: { config: answering('one') } })
  const { id, revision } = await created.json()
  const answerOf = async () => {
    const { id: runId } = await (await ask(begin, of(id, { method: 'POST', body: { input: 'x' } }))).json()
    await read(await watch(runId))
    return (await (await ask(run, of(runId))).json()).answer
  }
  expect((await (await ask('/api/agents')).json()).items.map((each: { id: string }) => each.id)).toContain(id)
  expect(await (await ask('/api/agents/{id}', of(id))).json()).toMatchObject({ id, config: answering('one') })
  expect(await answerOf()).toBe('one')
  const { graph } = await (
    await ask('/api/decompile', { method: 'POST', body: { config: answering('two') } })
  ).json()
  const saved = await ask('/api/agents/{id}', of(id, { method: 'PUT', body: { graph, revision } }))
  expect(saved.status).toBe(200)
  expect(await answerOf()).toBe('two')
  const nobody = 'agent_00000000000000000000'
  expect(await codeOf(ask('/api/agents/{id}', of(nobody)))).toEqual([404, 'not_found'])
  expect(await codeOf(ask(begin, of(nobody, { method: 'POST', body: { input: 'x' } })))).toEqual([
    404,
    'not_found',
  ])
})

describe('resuming', () => {
  test('E-29 a reader that leaves stops nothing, and exactly what it missed comes later', async () => {
    const text = 'word '.repeat(40)
    const slow = { provider: 'scripted', name: 'script', turns: [{ text }], paceMs: 5 }
    const { id: agent } = house.app.agents.create({ config: { name: 'slow-speaker', model: slow } })
    const { id } = await (await ask(begin, of(agent, { method: 'POST', body: { input: 'x' } }))).json()
    const response = await watch(id)
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    const seen: SseEvent[] = []
    for await (const event of decodeEvents(response.body ?? expect.fail('no stream'))) {
      seen.push(event)
      if (seen.length === 2) break
    }
    const last = seen.at(-1)?.id ?? ''
    const rest = await read(await watch(id, { headers: { 'last-event-id': last } }))
    expect(await (await ask(run, of(id))).json()).toMatchObject({ status: 'completed', answer: text })
    const whole = await read(await watch(id))
    expect([...seen, ...rest].map(({ id: place }) => place)).toEqual(whole.map(({ id: place }) => place))
    expect(whole.map(({ id: place }) => place)).toEqual(whole.map((_, index) => `${id}:${index + 1}`))
  })

  test('F6 E-29 after every event the rest comes, by header or by query, no gap and no duplicate', async () => {
    const { id, sent } = await finished()
    for (let after = 0; after < sent.length; after += 1) {
      const rest = sent.slice(after)
      expect(await read(await watch(id, { headers: { 'last-event-id': `${id}:${after}` } }))).toEqual(rest)
      expect(await read(await watch(id, { query: `?after=${after}` }))).toEqual(rest)
    }
    expect(
      await read(await watch(id, { query: '?after=1', headers: { 'last-event-id': `${id}:3` } })),
    ).toEqual(sent.slice(3))
  })

  test('past the last event of a finished run there is nothing', async () => {
    const { id, sent } = await finished()
    expect((await watch(id, { headers: { 'last-event-id': `${id}:${sent.length}` } })).status).toBe(204)
    expect((await watch(id, { query: `?after=${sent.length}` })).status).toBe(204)
  })

  test('F7 T21 what names no event of this run is refused', async () => {
    const { id, sent } = await finished()
    const other = await finished()
    const bad = [
      `${other.id}:1`,
      `${id}:${sent.length + 1}`,
      `${id}:99999999999999999999`,
      `${id}:-1`,
      `${id}:1.5`,
      `${id}:01`,
      `${id}:1e1`,
      `${id}:`,
      `${id}`,
      `${id}:1:2`,
      ` ${id}:x`,
      ':1',
      '1',
      '0',
      'x',
      '__proto__',
      '',
      `${id}:0x1`,
      `${id};1`,
      `${id.toUpperCase()}:1`,
    ]
    for (const header of bad) {
      expect([header, ...(await codeOf(watch(id, { headers: { 'last-event-id': header } })))]).toEqual([
        header,
        400,
        'invalid_event_id',
      ])
    }
    for (const after of ['', '-1', 'x', '1.5', String(sent.length + 1), `${other.id}:1`]) {
      expect([after, ...(await codeOf(watch(id, { query: `?after=${after}` })))]).toEqual([
        after,
        400,
        'invalid_event_id',
      ])
    }
    expect(await codeOf(watch('run_0'))).toEqual([404, 'not_found'])
  })

  test('two watchers of a live run see the same', async () => {
    const { id } = createdRun.parse(await (await start({ input: 'x' })).json())
    const [one, two] = await Promise.all([watch(id).then(read), watch(id).then(read)])
    expect(one).toEqual(two)
  })
})

describe('seats for readers', () => {
  const slow = async () =>
    createdRun.parse(await (await start({ input: 'x', overrides: { model: stalling } })).json()).id

  test('T55 the ninth reader of a run is told to come again; a seat that is left is free', async () => {
    const id = await slow()
    const leave = new AbortController()
    const readers = await Promise.all(Array.from({ length: 8 }, () => watch(id, { signal: leave.signal })))
    expect(readers.map((each) => each.status)).toEqual(Array(8).fill(200))
    const ninth = await watch(id)
    expect(ninth.headers.get('retry-after')).toBe('2')
    expect(await codeOf(ninth)).toEqual([503, 'unavailable'])
    leave.abort()
    const tenth = await watch(id)
    expect(tenth.status).toBe(200)
    await tenth.body?.cancel()
    await Promise.all(readers.map((each) => each.body?.cancel()))
  })

  test('F9 when the server stops, streams end cleanly and the run is kept', async () => {
    const id = await slow()
    const reading = watch(id).then(read)
    await house.drain(20_000)
    const sent = await reading
    expect(sent[0]?.event).toBe('run.queued')
    expect(sent.some((each) => each.event === 'run.finished')).toBe(false)
    expect(await codeOf(start({ input: 'x' }))).toEqual([503, 'unavailable'])
  })
})
