import { Readable } from 'node:stream'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type House, openHouse, ask as send } from '#lib/server/house.fixture'
import { maxMockChars } from '#lib/spec/mock'
import { decodeEvents } from '#lib/wire/sse'
import type { TrialToolList, TryEvent, TryList } from '#lib/wire/trials'

let house: House
beforeAll(() => {
  house = openHouse()
})
afterAll(() => house.end())

const config = {
  name: 'shop',
  tools: [
    {
      use: 'builtin',
      tools: ['math.calculate', 'files.create', 'javascript.run'],
      preset: { 'files.create': { path: 'note.txt' } },
    },
    {
      use: 'code',
      name: 'lookup',
      description: 'Looks up a price.',
      parameters: {
        type: 'object',
        properties: { item: { type: 'string' }, count: { type: 'integer' } },
        required: ['item'],
        additionalProperties: false,
      },
      source: 'console.log("looking"); return { item: args.item }',
      risk: 'read',
    },
  ],
  policies: [{ use: 'skills', deny: ['math.*'] }],
}

async function agentOf(more: object = {}): Promise<string> {
  const name = `shop-${Math.random().toString(36).slice(2, 10)}`
  const made = await send('/api/agents', { method: 'POST', body: { config: { ...config, name, ...more } } })
  expect(made.status).toBe(201)
  return (await made.json()).id
}

async function trial(id: string, tool: string, body: object) {
  const response = await send('/api/agents/{id}/trials/{tool}', {
    ...{ method: 'POST', params: { id, tool }, body },
  })
  const events: TryEvent[] = []
  if (response.body !== null && response.status === 200)
    for await (const { data } of decodeEvents(response.body)) events.push(JSON.parse(data))
  return { response, events, done: events.findLast((each) => each.type === 'done') }
}

async function listed(id: string): Promise<TrialToolList> {
  return (await send('/api/agents/{id}/trials', { params: { id } })).json()
}

async function triesOf(id: string, tool: string): Promise<TryList['items']> {
  return (await (await send('/api/agents/{id}/trials/{tool}', { params: { id, tool } })).json()).items
}

const setMock = (id: string, tool: string, body: unknown) =>
  send('/api/agents/{id}/mocks/{tool}', { method: 'PUT', params: { id, tool }, body })
const fixed = (text: string) => ({ mock: { answer: { kind: 'fixed', text } } })

describe('issue 18.8 the tools of a draft, tried by hand', () => {
  it('are listed with the settings of their entries, and with why the model is not offered one', async () => {
    const { items, lost, unavailable } = await listed(await agentOf())
    expect(items.map(({ name }) => name).sort()).toEqual([
      ...['files.create', 'javascript.run', 'lookup', 'math.calculate'],
    ])
    const of = (name: string) => items.find((each) => each.name === name)
    expect(of('files.create')).toMatchObject({
      risk: 'write',
      entry: 'tools/0',
      preset: { path: 'note.txt' },
    })
    expect(of('files.create')?.parameters).not.toHaveProperty('properties.path')
    expect(of('math.calculate')?.withheld).toContain('skills')
    expect(of('lookup')).toMatchObject({ risk: 'read', source: 'code', entry: 'tools/1', tries: 0 })
    expect([lost, unavailable]).toEqual([[], []])
  })

  it('S0-29 need agreement where they may change something, and refuse arguments that do not fit', async () => {
    const id = await agentOf()
    const unsure = await trial(id, 'files.create', { args: { content: 'Hello' } })
    expect(unsure.response.status).toBe(422)
    expect(await unsure.response.json()).toMatchObject({ error: { path: 'confirmed' } })
    const unfit = await trial(id, 'lookup', { args: { item: 'tea', count: 'two' } })
    expect(unfit.response.status).toBe(400)
    expect(await unfit.response.json()).toMatchObject({
      error: { path: 'args/count', detail: { problems: [{ path: 'count' }] } },
    })
    expect((await trial(id, 'nothing', {})).response.status).toBe(404)
    expect(await triesOf(id, 'lookup')).toEqual([])
  })

  it('S0-33 ask a person at the page, check the reply, and go on with it', async () => {
    const id = await agentOf({ tools: [{ use: 'builtin', tools: ['human.ask'] }] })
    const events: TryEvent[] = []
    const replies: Response[] = []
    const response = await send('/api/agents/{id}/trials/{tool}', {
      ...{ method: 'POST', params: { id, tool: 'human.ask' } },
      body: { args: { question: 'Which city?', choices: ['Lisbon', 'Porto'] } },
    })
    const reply = (body: object) =>
      send('/api/agents/{id}/trials/{tool}/replies', {
        ...{ method: 'POST', params: { id, tool: 'human.ask' }, body },
      })
    for await (const { data } of decodeEvents(response.body ?? new ReadableStream())) {
      const event: TryEvent = JSON.parse(data)
      events.push(event)
      if (event.type !== 'asks') continue
      const { tryId, questionId } = event
      for (const text of [' ', 'Porto', 'Lisbon']) replies.push(await reply({ tryId, questionId, text }))
    }
    expect(replies.map(({ status }) => status)).toEqual([422, 204, 409])
    expect(events.map(({ type }) => type)).toEqual(['asks', 'answered', 'done'])
    expect(events.at(-1)).toMatchObject({
      tried: { status: 'ok', result: [{ type: 'text', text: 'Porto' }] },
    })
  })

  it('keep the plan, and what is remembered, from one try of an agent to the next', async () => {
    const tools = [{ use: 'plan' }, { use: 'memory', mode: 'agent' }]
    const [id, other] = [await agentOf({ tools }), await agentOf({ tools })]
    const plan = (of: string, args: object) => trial(of, 'plan', { args, confirmed: true })
    await plan(id, { command: 'create', title: 'Trip', steps: ['Book', 'Travel'] })
    expect((await plan(id, { command: 'next' })).done).toMatchObject({ tried: { status: 'ok' } })
    expect((await plan(other, { command: 'next' })).done).toMatchObject({ tried: { status: 'error' } })
    await trial(id, 'memory.record', { args: { notes: ['Ada drinks green tea.'] }, confirmed: true })
    const found = async (of: string) =>
      JSON.stringify((await trial(of, 'memory.search', { args: { query: 'tea' } })).done)
    expect(await found(id)).toContain('Ada drinks green tea.')
    expect(await found(other)).toContain('No note fits')
  })

  it('S1-14 of skills are listed and tried, though no entry of the draft has them', async () => {
    const text = '---\nname: line-counter\ndescription: Counts lines.\n---\n\nCount the lines.\n'
    const archive = zipSync({
      'line-counter/SKILL.md': strToU8(text),
      'line-counter/count.sh': strToU8('wc -l\n'),
    })
    const { skill } = await house.app.skills.import(
      { content: Readable.from([archive]) },
      new AbortController().signal,
    )
    const id = await agentOf({ skills: [{ name: skill.name, hash: skill.hash }] })
    const [load] = (await listed(id)).items.filter(({ name }) => name.startsWith('skill.'))
    expect(load).toMatchObject({ name: 'skill.load', entry: 'agent', preset: {}, risk: 'read' })
    const { done } = await trial(id, 'skill.load', { args: { skill: 'line-counter' } })
    expect(done).toMatchObject({ tried: { status: 'ok' } })
    expect(JSON.stringify(done)).toContain('Count the lines.')
  })

  it('S1-12 call another agent, whose own calls still ask', async () => {
    const model = {
      provider: 'scripted',
      name: 'script',
      turns: [
        { text: 'I write.', calls: [{ name: 'files.create', args: { path: 'note.md', content: 'Seven' } }] },
        { text: 'It is written.' },
      ],
    }
    const name = `writer-${Math.random().toString(36).slice(2, 10)}`
    await agentOf({
      name,
      model,
      tools: [{ use: 'builtin', tools: ['files.create'] }],
      policies: [{ use: 'approval' }],
    })
    const id = await agentOf({ tools: [{ use: 'agent', agent: name, version: 'draft' }] })
    expect((await listed(id)).unavailable).toEqual([])
    const events: TryEvent[] = []
    const response = await send('/api/agents/{id}/trials/{tool}', {
      ...{
        method: 'POST',
        params: { id, tool: name },
        body: { args: { task: 'Write it.' }, confirmed: true },
      },
    })
    for await (const { data } of decodeEvents(response.body ?? new ReadableStream())) {
      const event: TryEvent = JSON.parse(data)
      events.push(event)
      if (event.type !== 'asks') continue
      expect(event).toMatchObject({ tool: 'files.create', input: { choices: ['Approve', 'Reject'] } })
      const said = { tryId: event.tryId, questionId: event.questionId, text: 'Approve' }
      await send('/api/agents/{id}/trials/{tool}/replies', {
        ...{ method: 'POST', params: { id, tool: name }, body: said },
      })
    }
    expect(events.at(-1)).toMatchObject({ tried: { status: 'ok' } })
    expect(JSON.stringify(events.at(-1))).toContain('It is written.')
    expect(events).toContainEqual(expect.objectContaining({ type: 'file' }))
  })

  it('work in one workspace of the agent, which is in no list of threads', async () => {
    const id = await agentOf()
    const { events, done } = await trial(id, 'files.create', { args: { content: 'Hi' }, confirmed: true })
    expect(done).toMatchObject({ tried: { status: 'ok', code: null } })
    expect(events).toContainEqual(expect.objectContaining({ type: 'file' }))
    const { threadId } = await listed(id)
    const files = await send('/api/threads/{id}/files', { params: { id: threadId ?? '' } })
    expect((await files.json()).items).toMatchObject([{ path: 'note.txt' }])
    const threads = await send('/api/threads', { query: `?agent=${id}` })
    expect((await threads.json()).items).toEqual([])
    const again = await send('/api/agents/{id}/trials', { method: 'POST', params: { id }, body: {} })
    expect(await again.json()).toEqual({ threadId })
  })

  it('show output as it comes, then the result, and are kept as examples', async () => {
    const id = await agentOf()
    const { events, done } = await trial(id, 'lookup', { args: { item: 'tea' } })
    expect(events[0]).toMatchObject({ type: 'progress', text: expect.stringContaining('looking') })
    expect(done).toMatchObject({ cut: [] })
    const kept = await triesOf(id, 'lookup')
    expect(kept).toMatchObject([
      { args: { item: 'tea' }, status: 'ok', result: [{ type: 'json', value: { item: 'tea' } }] },
    ])
    expect((await listed(id)).items.find(({ name }) => name === 'lookup')?.tries).toBe(1)
    const params = { id, tool: 'lookup' }
    await send('/api/agents/{id}/trials/{tool}', { method: 'DELETE', params })
    expect(await triesOf(id, 'lookup')).toEqual([])
  })

  it('keep no known secret, and nothing that is too long', async () => {
    const body = { value: 'planted-secret-value', origins: ['https://api.example.com'] }
    await send('/api/secrets/{name}', { method: 'PUT', params: { name: 'SHOP_KEY' }, body })
    const id = await agentOf()
    const { done } = await trial(id, 'lookup', { args: { item: 'key planted-secret-value' } })
    expect(JSON.stringify(done)).not.toContain('planted')
    const [kept] = await triesOf(id, 'lookup')
    expect(kept).toMatchObject({ args: { item: 'key [secret]' }, redacted: true })
    const long = await trial(id, 'lookup', { args: { item: 'x'.repeat(70_000) } })
    expect(long.done).toMatchObject({ cut: ['args', 'result'] })
    expect((await triesOf(id, 'lookup'))[0]).toMatchObject({ args: null, result: null, status: 'ok' })
  })

  it('keep the last twenty tries of each tool, the newest first', async () => {
    const id = await agentOf({ policies: [] })
    for (let n = 0; n < 22; n++) await trial(id, 'math.calculate', { args: { expression: `${n}+0` } })
    const kept = await triesOf(id, 'math.calculate')
    expect(kept).toHaveLength(20)
    expect(kept[0]?.args).toEqual({ expression: '21+0' })
    expect(kept.at(-1)?.args).toEqual({ expression: '2+0' })
  })

  it('are stopped when the person leaves', async () => {
    const id = await agentOf()
    const leaving = new AbortController()
    const params = { id, tool: 'javascript.run' }
    const body = { args: { code: 'console.log("begun"); while (true) {}' }, confirmed: true }
    const response = await send('/api/agents/{id}/trials/{tool}', {
      ...{ method: 'POST', params, body, signal: leaving.signal },
    })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await expect.poll(() => triesOf(id, 'javascript.run')).toMatchObject([{ status: 'stopped' }])
  })

  it('cannot be listed while the drawing has errors, and the answer says which', async () => {
    const nodes = [
      { id: 'a', kind: 'agent', config: { name: 'broken' } },
      { id: 't', kind: 'tool:code', config: {} },
    ]
    const edges = [{ from: { node: 't', port: 'tool' }, to: { node: 'a', port: 'tools' } }]
    const body = { graph: { version: 1, nodes, edges } }
    const made = await send('/api/agents', { method: 'POST', body })
    expect(made.status).toBe(201)
    const { id } = await made.json()
    const answer = await send('/api/agents/{id}/trials', { params: { id } })
    expect(await answer.json()).toMatchObject({ error: { code: 'not_compiled' } })
  })
})

describe('issue 18.8 the mocks of a draft', () => {
  it('are kept beside the drawing: config, export, version and copy are the same bytes', async () => {
    const id = await agentOf()
    const exported = async (of: string) =>
      (await send('/api/agents/{id}/export', { params: { id: of } })).text()
    const before = await exported(id)
    await setMock(id, 'lookup', fixed('four pounds'))
    expect(await exported(id)).toBe(before)
    const version = await send('/api/agents/{id}/versions', { method: 'POST', params: { id }, body: {} })
    expect(JSON.stringify(await version.json())).not.toContain('four pounds')
    const copy = await send('/api/agents/{id}/duplicate', { method: 'POST', params: { id }, body: {} })
    expect((await listed((await copy.json()).id)).items.some(({ mock }) => mock !== undefined)).toBe(false)
  })

  it('can be changed, switched off and removed', async () => {
    const id = await agentOf()
    const mock = { answer: { kind: 'echo' }, delayMs: 5 }
    expect(await (await setMock(id, 'lookup', { mock, on: false })).json()).toEqual({ mock, on: false })
    expect((await listed(id)).items.find(({ name }) => name === 'lookup')?.mock).toEqual({ mock, on: false })
    const params = { id, tool: 'lookup' }
    const remove = () => send('/api/agents/{id}/mocks/{tool}', { method: 'DELETE', params })
    expect((await remove()).status).toBe(204)
    expect((await remove()).status).toBe(404)
  })

  it('of a tool that the draft no longer has are listed as lost, and stay until they are removed', async () => {
    const id = await agentOf()
    await setMock(id, 'no.longer', fixed('x'))
    const { items, lost } = await listed(id)
    expect(items.every(({ mock }) => mock === undefined)).toBe(true)
    expect(lost).toMatchObject([{ tool: 'no.longer', on: true, mock: { answer: { text: 'x' } } }])
  })

  it('have limits, and hold no secret', async () => {
    const id = await agentOf()
    const at = async (body: unknown) => {
      const answer = await setMock(id, 'lookup', body)
      return [answer.status, (await answer.json()).error?.path]
    }
    expect(await at(fixed('x'.repeat(maxMockChars + 1)))).toEqual([400, 'mock/answer/text'])
    const json = { answer: { kind: 'fixed', text: '{', format: 'json' } }
    expect(await at({ mock: json })).toEqual([400, 'mock/answer/text'])
    const gone = { answer: { kind: 'recorded', runId: 'run_gone' } }
    expect(await at({ mock: gone })).toEqual([422, 'mock/answer/runId'])
    expect(await at({ mock: { answer: { kind: 'echo' }, delayMs: 600_001 } })).toEqual([400, 'mock/delayMs'])
    expect((await setMock('agent_gone', 'lookup', fixed('x'))).status).toBe(404)
    const body = { value: 'another-secret-value', origins: ['https://api.example.com'] }
    await send('/api/secrets/{name}', { method: 'PUT', params: { name: 'OTHER_KEY' }, body })
    const saved = await (await setMock(id, 'lookup', fixed('it is another-secret-value'))).json()
    expect(saved.mock.answer.text).toBe('it is [secret]')
  })
})
