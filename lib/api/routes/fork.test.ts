import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { branchList, createdRun, eventList, runList, runView, stepRequest } from '#lib/wire/runs'
import { decodeEvents } from '#lib/wire/sse'

const begin = '/api/agents/{id}/runs'
const branches = '/api/runs/{id}/branches'
const events = '/api/runs/{id}/events'
const fork = '/api/runs/{id}/fork'
const requests = '/api/runs/{id}/requests/{step}'
const run = '/api/runs/{id}'
const runs = '/api/runs'

let house: House
let parent = ''

const call = (expression: string) => ({ name: 'math.calculate', args: { expression } })
const turns: JsonObject[] = [
  { calls: [call('6*7')] },
  { calls: [call('1+1'), call('2+2')] },
  { text: 'Done.' },
]
const model: JsonObject = { provider: 'scripted', name: 'script', turns }

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const forking = (id: string, body: unknown) => ask(fork, of(id, { method: 'POST', body }))

/** Waits until the run is over. */
async function over(id: string): Promise<void> {
  const { body } = await ask(events, of(id))
  if (body !== null) for await (const _ of decodeEvents(body));
}

beforeEach(async () => {
  house = openHouse()
  const tools = [{ use: 'builtin', tools: ['math.calculate'] }]
  const { id } = house.app.agents.create({ config: { name: 'adder', model, tools } })
  const began = await ask(begin, of(id, { method: 'POST', body: { input: 'How much?' } }))
  parent = createdRun.parse(await began.json()).id
  await over(parent)
})
afterEach(() => house.end())

async function forked(body: unknown, from = parent): Promise<string> {
  const response = await forking(from, body)
  expect(response.status).toBe(201)
  const { id } = createdRun.parse(await response.json())
  await over(id)
  return id
}

describe('a fork', () => {
  test('begins a run of its own, told with where it comes from, in views, lists and its tree', async () => {
    const edit = { callId: 'call_2_1', result: 'two' }
    const id = await forked({ step: 2, edit })
    const view = runView.parse(await (await ask(run, of(id))).json())
    const forkedFrom = { runId: parent, step: 2, edit: 'result', callId: 'call_2_1' }
    expect(view).toMatchObject({ status: 'completed', answer: 'Done.', forkedFrom })
    const { items } = runList.parse(await (await ask(runs)).json())
    expect(items.map((each) => each.forkedFrom)).toEqual([forkedFrom, null])
    const other = await forked({ step: 1, edit: { prompt: 'And now?' } }, id)
    const tree = branchList.parse(await (await ask(branches, of(other))).json())
    expect(tree.items.map((each) => [each.id, each.forkedFrom?.runId ?? null])).toEqual([
      [parent, null],
      [id, parent],
      [other, id],
    ])
    const json = { headers: { accept: 'application/json' } }
    eventList.parse(await (await ask(events, of(id, json))).json())
    const asked = await ask(requests, { params: { id, step: '3' } })
    expect(stepRequest.parse(await asked.json())).toMatchObject({ exact: true })
  })

  test('takes the parts of a stored answer back as they are', async () => {
    const { items } = eventList.parse(
      await (await ask(events, of(parent, { headers: { accept: 'application/json' } }))).json(),
    )
    const answer = items.find((each) => each.type === 'model.answered' && each.step === 2)
    const reply = answer?.type === 'model.answered' ? answer.parts : []
    const id = await forked({ step: 2, edit: { reply } })
    expect((await (await ask(run, of(id))).json()).answer).toBe('Done.')
  })

  test.each<[string, unknown, number, string, string | undefined]>([
    ['no step', {}, 400, 'bad_request', 'step'],
    ['a step that is none', { step: 0 }, 400, 'bad_request', 'step'],
    ['a step that was not', { step: 9 }, 404, 'not_found', 'step'],
    ['a key of its own', { step: 1, agent: 'x' }, 400, 'bad_request', 'agent'],
    ['an edit of no form', { step: 1, edit: { text: 'x' } }, 400, 'bad_request', 'edit'],
    [
      'an edit of two forms',
      { step: 1, edit: { prompt: 'x', result: 'y' } },
      400,
      'bad_request',
      'edit/result',
    ],
    ['an empty question', { step: 1, edit: { prompt: ' ' } }, 400, 'bad_request', 'edit/prompt'],
    ['a reply without parts', { step: 1, edit: { reply: [] } }, 400, 'bad_request', 'edit/reply'],
    [
      'a reply that says nothing',
      { step: 1, edit: { reply: [{ type: 'text', text: '' }] } },
      422,
      'unprocessable',
      'edit/reply',
    ],
    [
      'a call of another step',
      { step: 1, edit: { callId: 'call_2_1', result: 'x' } },
      404,
      'not_found',
      'edit/callId',
    ],
    [
      'arguments that do not fit',
      { step: 1, edit: { callId: 'call_1_1', args: { wrong: 1 } } },
      422,
      'unprocessable',
      'edit/args',
    ],
    [
      'arguments that are no object',
      { step: 1, edit: { callId: 'call_1_1', args: [] } },
      400,
      'bad_request',
      'edit/args',
    ],
  ])('with %s is refused, and nothing is stored', async (_, body, status, code, path) => {
    const response = await forking(parent, body)
    const { error } = await response.json()
    expect([response.status, error.code, error.path]).toEqual([status, code, path])
    expect(error.message).toMatch(/\.$/)
    expect(runList.parse(await (await ask(runs)).json()).items).toHaveLength(1)
  })

  test('of a run that is not there is refused, and it has no tree', async () => {
    expect((await forking('run_0', { step: 1 })).status).toBe(404)
    expect((await ask(branches, of('run_0'))).status).toBe(404)
  })
})
