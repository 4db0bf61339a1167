import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import { emptyGraph } from '#lib/spec/graph'
import { agentList, agentView, importedAgent, templateList } from '#lib/wire/agents'
import { runView } from '#lib/wire/runs'

const duplicate = '/api/agents/{id}/duplicate'
const restore = '/api/agents/{id}/restore'
const agent = '/api/agents/{id}'
const begin = '/api/agents/{id}/runs'
const versions = '/api/agents/{id}/versions'
const imported = '/api/agents/import'
const agents = '/api/agents'
const run = '/api/runs/{id}'
const templates = '/api/templates'
const threads = '/api/threads'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(async () => {
  vi.useRealTimers()
  await house.end()
})

const config = { name: 'small', title: 'Small', instructions: 'Be brief.' }
const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const post = (id: string, body?: unknown): Ask => of(id, { method: 'POST', body })
const make = (given: object = config) => house.app.agents.create({ config: { ...given } }).id
const names = async () => agentList.parse(await (await ask(agents)).json()).items.map(({ name }) => name)
const statusOf = async (response: Response | Promise<Response>) => (await response).status
const remove = (id: string) => statusOf(ask(agent, of(id, { method: 'DELETE' })))

describe('a removed agent', () => {
  test('leaves the list and every door, but not its runs', async () => {
    const id = make()
    const { id: runId, threadId } = house.app.runs.create({ agentId: id, input: 'Hello' })
    expect(await remove(id)).toBe(204)
    expect(await names()).toEqual([])
    expect(await statusOf(ask(agent, of(id)))).toBe(404)
    expect(await statusOf(ask(versions, post(id, {})))).toBe(404)
    expect(await statusOf(ask(begin, post(id, { input: 'x' })))).toBe(404)
    expect(await statusOf(ask(duplicate, post(id)))).toBe(404)
    expect(await statusOf(ask(threads, { method: 'POST', body: { agentId: id } }))).toBe(404)
    expect(await remove(id)).toBe(404)
    expect(runView.parse(await (await ask(run, of(runId))).json()).threadId).toBe(threadId)
  })

  test('comes back as it was, however often it is asked for', async () => {
    const id = make()
    const before = house.app.agents.get(id)
    house.app.agents.publish(id, {})
    await remove(id)
    for (const body of [undefined, {}]) {
      expect(agentView.parse(await (await ask(restore, post(id, body))).json())).toEqual(before)
    }
    expect(house.app.agents.versions(id).items).toHaveLength(1)
    expect(await statusOf(ask(restore, post('agent_0')))).toBe(404)
    expect(await statusOf(ask(restore, post(id, { name: 'x' })))).toBe(400)
  })

  test('gives its name free, and takes the next one when that is gone', async () => {
    const id = make()
    await remove(id)
    const other = make()
    const back = agentView.parse(await (await ask(restore, post(id))).json())
    expect(back).toMatchObject({ id, name: 'small-2', revision: 2, config: { name: 'small-2' } })
    expect(await names()).toEqual(['small', 'small-2'])
    expect(house.app.agents.get(other).name).toBe('small')
  })

  test('is purged at a start after thirty days that the server has seen pass, its runs staying', async () => {
    const id = make()
    const { id: runId } = house.app.runs.create({ agentId: id, input: 'Hello' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await remove(id)
    const again = async (days: number) => {
      vi.setSystemTime(Date.now() + days * 86_400_000)
      const { folder } = house
      await house.leave()
      house = openHouse({ folder })
      house.recover()
    }
    await again(29)
    expect(await statusOf(ask(restore, post(id)))).toBe(200)
    await remove(id)
    // Setting the clock a month forward deletes nothing.
    await again(31)
    expect(await statusOf(ask(restore, post(id)))).toBe(200)
    await remove(id)
    for (let week = 1; week <= 4; week++) await again(7)
    expect(await statusOf(ask(restore, post(id)))).toBe(200)
    await remove(id)
    for (let week = 1; week <= 5; week++) await again(7)
    expect(await statusOf(ask(restore, post(id)))).toBe(404)
    expect(await statusOf(ask(run, of(runId)))).toBe(200)
  })
})

describe('a duplicate', () => {
  test('has the next free name and says in its title that it is a copy', async () => {
    const id = make()
    const first = await ask(duplicate, post(id))
    expect(first.status).toBe(201)
    const copy = agentView.parse(await first.json())
    expect(copy).toMatchObject({ name: 'small-2', revision: 1, config: { title: 'Small (copy)' } })
    expect(copy.config?.instructions).toBe('Be brief.')
    const again = agentView.parse(await (await ask(duplicate, post(copy.id))).json())
    expect(again.config?.title).toBe('Small (copy)')
    expect(house.app.agents.get(id)).toMatchObject({ name: 'small', config: { title: 'Small' } })
  })

  test('of an agent without a title has none, and of a drawing with errors has its errors', async () => {
    const plain = make({ name: 'plain' })
    const copy = agentView.parse(await (await ask(duplicate, post(plain))).json())
    expect(copy.config).toMatchObject({ name: 'plain-2' })
    expect(copy.config?.title).toBeUndefined()
    const broken = house.app.agents.create({ graph: emptyGraph })
    const other = agentView.parse(await (await ask(duplicate, post(broken.id))).json())
    expect(other).toMatchObject({ name: 'untitled-2', config: null })
  })

  test('takes a title of the longest kind', async () => {
    const id = make({ name: 'long', title: 'x'.repeat(200) })
    const copy = agentView.parse(await (await ask(duplicate, post(id))).json())
    expect(copy.config).not.toBeNull()
    expect(String(copy.config?.title)).toMatch(/^x+ \(copy\)$/)
  })
})

describe('an import', () => {
  const importing = async (body: object) =>
    importedAgent.parse(await (await ask(imported, { method: 'POST', body })).json())

  test('says what this server lacks for it, each with its place and what to do', async () => {
    const { lacks } = await importing({
      name: 'demanding',
      model: { provider: 'openai', name: 'model-of-tomorrow' },
      tools: [
        { use: 'builtin', tools: ['sql.execute'], preset: { 'sql.execute': { database: 'warehouse' } } },
      ],
      policies: [{ use: 'budget', usd: 2 }],
    })
    expect(lacks.map(({ code, path }) => [code, path])).toEqual([
      ['key_missing', 'model/provider'],
      ['database_missing', 'tools/0/preset/sql.execute/database'],
      ['price_unknown', 'policies/0/usd'],
    ])
    for (const { message, node, severity } of lacks) {
      expect(message).toMatch(/(Enter|Register) .*Settings/)
      expect([severity, typeof node]).toEqual(['warning', 'string'])
    }
  })

  test('of what needs nothing lacks nothing', async () => {
    expect((await importing({ name: 'modest' })).lacks).toEqual([])
  })

  test('with a part that this program lacks is refused, naming the place', async () => {
    const body = { name: 'later', tools: [{ use: 'telepathy' }] }
    const response = await ask(imported, { method: 'POST', body })
    expect(response.status).toBe(400)
    expect((await response.json()).error).toMatchObject({ code: 'invalid_config', path: 'tools/0/use' })
  })
})

test('templates become agents', async () => {
  const { items } = templateList.parse(await (await ask(templates)).json())
  for (const { config: each } of items)
    expect(house.app.agents.create({ config: each }).config).not.toBeNull()
})
