import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import { insights } from '#lib/wire/insights'
import { createdRun, deletedRuns, restoredRuns, runChoices, runList, runView } from '#lib/wire/runs'

let house: House
let agentId = ''
beforeEach(() => {
  house = openHouse()
  agentId = house.app.agents.create({
    config: {
      name: 'adder',
      model: {
        provider: 'scripted',
        name: 'script',
        turns: [
          { calls: [{ name: 'math.calculate', args: { expression: '6*' } }] },
          { calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] },
          { text: 'Germany has 42.' },
        ],
      },
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    },
  }).id
})
afterEach(() => house.end())

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })

async function finished(input: string): Promise<string> {
  const response = await ask('/api/agents/{id}/runs', of(agentId, { method: 'POST', body: { input } }))
  const { id } = createdRun.parse(await response.json())
  await (await ask('/api/runs/{id}/events', of(id, { headers: { accept: 'text/event-stream' } }))).text()
  return id
}
const list = async (query = '') => runList.parse(await (await ask('/api/runs', { query })).json())
const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id)
const post = (at: string, ids: readonly string[]) => ask(at, { method: 'POST', body: { ids } })
const codeOf = async (response: Response) => [response.status, (await response.json()).error?.code]

test('runs are found by answer and tool, and the list counts their failed calls', async () => {
  const id = await finished('How many?')
  expect(await idsOf('?search=germany')).toEqual([id])
  expect(await idsOf('?search=math.calc&tool=math.calculate&failed=1&model=scripted/script')).toEqual([id])
  expect((await list('?with=failures')).items[0]?.failedCalls).toBe(1)
  expect((await list()).items[0]).not.toHaveProperty('failedCalls')
  expect(runChoices.parse(await (await ask('/api/runs/choices')).json())).toEqual({
    models: ['scripted/script'],
    tools: ['math.calculate'],
  })
})

test.each([
  ['?sort=best', 'sort'],
  ['?costFrom=-1', 'costFrom'],
  ['?since=yesterday', 'since'],
  ['?feedback=left', 'feedback'],
  ['?sort=cost&cursor=17', 'cursor'],
])('%s is refused, with the place', async (query, path) => {
  const response = await ask('/api/runs', { query })
  expect([response.status, (await response.json()).error.path]).toEqual([400, path])
})

test('runs are deleted and restored, one or several', async () => {
  const [one, two] = [await finished('one'), await finished('two')]
  expect((await post('/api/runs/delete', [one])).status).toBe(200)
  expect(await codeOf(await ask('/api/runs/{id}', of(one)))).toEqual([404, 'not_found'])
  expect(await idsOf('')).toEqual([two])
  const deleted = deletedRuns.parse(await (await post('/api/runs/delete', [one, two, 'run_x'])).json())
  expect(deleted).toEqual({ deleted: [two], unfinished: [] })
  const restored = restoredRuns.parse(await (await post('/api/runs/restore', [one, two])).json())
  expect(restored.restored.toSorted()).toEqual([one, two].toSorted())
  expect(await idsOf('')).toEqual([two, one])
})

test('feedback is stored with the run, replaced and removed', async () => {
  const id = await finished('one')
  const rate = (body: unknown) => ask('/api/runs/{id}/feedback', of(id, { method: 'PUT', body }))
  expect(await (await rate({ rating: 'up' })).json()).toEqual({ rating: 'up' })
  expect(await (await rate({ rating: 'down', text: '  Wrong year. ' })).json()).toEqual({
    rating: 'down',
    text: 'Wrong year.',
  })
  const view = runView.parse(await (await ask('/api/runs/{id}', of(id))).json())
  expect(view.feedback).toEqual({ rating: 'down', text: 'Wrong year.' })
  expect(await idsOf('?feedback=down')).toEqual([id])
  expect(await codeOf(await rate({ rating: 'up', text: 'x'.repeat(2_001) }))).toEqual([400, 'bad_request'])
  expect((await ask('/api/runs/{id}/feedback', of(id, { method: 'DELETE' }))).status).toBe(204)
  expect(await idsOf('?feedback=any')).toEqual([])
  expect(await codeOf(await ask('/api/runs/{id}/feedback', of('run_x', { method: 'DELETE' })))).toEqual([
    404,
    'not_found',
  ])
})

test('the figures of an agent', async () => {
  const id = await finished('one')
  house.app.runs.rate(id, { rating: 'up' })
  const response = await ask('/api/agents/{id}/insights', of(agentId, { query: '?days=7' }))
  const { total, days, tools } = insights.parse(await response.json())
  expect([total.runs, total.errors, total.up, days.length]).toEqual([1, 0, 1, 7])
  expect(total.latency?.p50).toBeGreaterThanOrEqual(0)
  expect(tools).toEqual([{ name: 'math.calculate', calls: 2, failed: 1 }])
})

test('a run deleted shortly before a restart is gone after it', async () => {
  const [one, two] = [await finished('one'), await finished('two')]
  const { threadId } = house.app.runs.get(one)
  await post('/api/runs/delete', [one])
  const { folder } = house
  await house.leave()
  house = openHouse({ folder })
  house.recover()
  const threads = () => house.app.threads.list({}).items.map(({ id }) => id)
  await expect.poll(threads).not.toContain(threadId)
  expect(restoredRuns.parse(await (await post('/api/runs/restore', [one])).json())).toEqual({ restored: [] })
  expect(await idsOf('')).toEqual([two])
})
