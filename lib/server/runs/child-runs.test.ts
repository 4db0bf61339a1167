import { describe, expect, it } from 'vitest'
import { fold } from '#lib/agent/state/fold'
import { callAt } from '#lib/agent/state/inner-path'
import { start } from '#lib/agent/state/start'
import { isAppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import { ask, eventsIn } from '../house.fixture'
import {
  agent,
  all,
  begin,
  call,
  calls,
  create,
  did,
  ended,
  gate,
  house,
  pair,
  playInScene,
  resultOf,
  run,
  say,
  stateOf,
  until,
  uses,
} from './child-runs.fixture'

playInScene()

describe('an agent as a tool (S1-12)', () => {
  it('is described by its own description, gets the task, and its answer is the result', async () => {
    const id = await run(pair({ description: 'Counts words well.', ...say({ text: 'Seven words.' }) }))
    expect(house.app.runs.get(id)).toMatchObject({ status: 'completed', answer: 'All done.' })
    expect(resultOf(id)).toBe('Seven words.')
    const [begun, inside] = all(id, 'run.started')
    expect(begun?.tools.offered[0]).toMatchObject({ name: 'helper', node: 'tools/0' })
    expect(begun?.tools.offered[0]?.definition?.description).toMatch(/^Counts words well\./)
    expect(inside).toMatchObject({
      parent: 'call_1_1',
      input: 'Count the words.',
      agent: { name: 'helper', version: 1 },
    })
    expect(all(id, 'call.finished').at(-1)?.metadata).toEqual({ agent: 'helper', version: 1, steps: 1 })
  })

  it('answers with JSON when it has an output schema', async () => {
    const output = {
      schema: { type: 'object', properties: { words: { type: 'integer' } }, required: ['words'] },
    }
    const id = await run(pair({ ...say({ text: '{"words": 7}' }), output }))
    expect(callAt(stateOf(id), 'call_1_1')?.result?.blocks).toEqual([{ type: 'json', value: { words: 7 } }])
  })

  it('gives one clear error when its run fails, and what it had written', async () => {
    const failing = say(calls(call('nothing')), calls(call('nothing')), calls(call('nothing')))
    const id = await run(pair({ ...failing, policies: [{ use: 'steps', max: 1, onLimit: 'error' }] }))
    expect(callAt(stateOf(id), 'call_1_1')).toMatchObject({ status: 'error', code: 'agent_max_steps' })
    expect(resultOf(id)).toContain('helper reached its limit of steps without an answer.')
    expect(house.app.runs.get(id).status).toBe('completed')
  })

  it('uses the published version, a number or the draft, as its entry says', async () => {
    const helper = create('helper', say({ text: 'first' }))
    house.app.agents.save(helper, {
      config: { name: 'helper', ...say({ text: 'drawn' }) },
      revision: house.app.agents.get(helper).revision,
    })
    const parent = (name: string, version: number | 'draft' | 'published') =>
      create(name, {
        ...say(calls(call('helper', { task: 'Go.' })), { text: 'ok' }),
        tools: [agent('helper', { version })],
      })
    const results = []
    for (const [name, version] of [
      ['a', 'published'],
      ['b', 'draft'],
      ['c', 1],
    ] as const)
      results.push(resultOf(await run(parent(name, version))))
    expect(results).toEqual(['first', 'drawn', 'first'])
  })

  it('is withheld with the reason when there is none, or no published version', async () => {
    create('drawn', say({ text: '' }), { publish: false })
    const lead = create('lead', { ...say({ text: 'alone' }), tools: [agent('nobody'), agent('drawn')] })
    const id = await run(lead)
    expect(all(id, 'run.started')[0]?.tools.withheld.map(({ name, reason }) => [name, reason])).toEqual([
      ['nobody', 'There is no agent “nobody” on this server. Create or import it, or choose another.'],
      ['drawn', 'drawn has no published version. Publish it, or use its draft.'],
    ])
  })

  it('changes nothing in a run under way when it is deleted or published anew', async () => {
    const helper = create('helper', { ...say(calls(call('wait')), { text: 'old' }), tools: [uses('wait')] })
    const lead = create('lead', {
      ...say(calls(call('helper', { task: 'A' })), calls(call('helper', { task: 'B' })), { text: 'ok' }),
      tools: [agent('helper')],
    })
    const id = begin(lead)
    await until(() => did.length === 1)
    house.app.agents.remove(helper)
    gate.open()
    await ended(id)
    expect([resultOf(id), resultOf(id, 'call_2_1')]).toEqual(['old', 'old'])
    expect(house.app.runs.get(id).status).toBe('completed')
  })

  it('refuses a run whose agents call each other without an end, and names the way', () => {
    create('b', { ...say({ text: '' }), tools: [agent('c', { version: 'draft' })] })
    create('c', { ...say({ text: '' }), tools: [agent('a', { version: 'draft' })] })
    const a = create('a', { ...say({ text: '' }), tools: [agent('b', { version: 'draft' })] })
    expect(refusal(() => begin(a))).toMatchObject({
      code: 'unprocessable',
      message: 'a cannot run. a calls b calls c calls a, which has no end. Take one of these calls out.',
      path: 'tools/0/agent',
    })
  })

  it('refuses a run that would go four agents deep', () => {
    create('d4', say({ text: '' }))
    for (const [name, next] of [
      ['d3', 'd4'],
      ['d2', 'd3'],
      ['d1', 'd2'],
    ] as const)
      create(name, { ...say({ text: '' }), tools: [agent(next)] })
    const deep = create('d0', { ...say({ text: '' }), tools: [agent('d1')] })
    expect(refusal(() => begin(deep))).toMatchObject({
      message: 'd0 cannot run. Through d1, calls go 4 agents deep. At most 3 are possible.',
    })
  })

  it('S3-26 S4-24 runs side by side with others where the strategy allows, on one stream with the ids of their calls, and results stay in call order', async () => {
    create('helper', { ...say(calls(call('wait')), { text: 'done' }), tools: [uses('wait')] })
    const lead = create('lead', {
      ...say(calls(call('helper', { task: 'A' }), call('helper', { task: 'B' })), { text: 'ok' }),
      tools: [agent('helper')],
      policies: [{ use: 'execution', strategy: 'parallel' }],
    })
    const id = begin(lead)
    await until(() => did.length === 2)
    gate.open()
    await ended(id)
    expect(all(id, 'run.started').map(({ parent, input }) => [parent, input])).toEqual([
      [undefined, 'Do it.'],
      ['call_1_1', 'A'],
      ['call_1_2', 'B'],
    ])
    expect(house.app.runs.get(id).answer).toBe('ok')
  })

  it('that only reads runs beside others with the strategy auto', async () => {
    create('helper', { ...say(calls(call('wait')), { text: 'done' }), tools: [uses('wait')] })
    create('writer', { ...say({ text: 'done' }), tools: [uses('note')] })
    const lead = create('lead', { ...say({ text: 'ok' }), tools: [agent('helper'), agent('writer')] })
    const id = await run(lead)
    const { offered } = all(id, 'run.started')[0]?.tools ?? { offered: [] }
    const state = stateOf(id)
    expect(offered.map(({ name }) => name)).toEqual(['helper', 'writer'])
    expect(state.status).toBe('completed')
  })
})

it('each call works in a folder of its own, gets copies of files, and names what it made', async () => {
  create('helper', {
    ...say(calls(call('files.create', { path: 'report.md', content: '# Report' })), { text: 'Written.' }),
    tools: [uses('files.create')],
  })
  const lead = create('lead', {
    ...say(
      calls(call('files.create', { path: 'data.csv', content: 'a,b' })),
      calls(call('helper', { task: 'Report.', files: ['data.csv'] })),
      { text: 'ok' },
    ),
    tools: [uses('files.create'), agent('helper')],
  })
  const id = await run(lead)
  const { items } = await house.app.files.list(house.app.runs.get(id).threadId)
  const folder = `agents/helper/${id.slice(-6)}-call_2_1`
  expect(items.map(({ path }) => path)).toEqual([`${folder}/data.csv`, `${folder}/report.md`, 'data.csv'])
  expect(resultOf(id, 'call_2_1')).toBe(`Written.\nFiles that helper made:\n${folder}/report.md`)
  expect(all(id, 'run.started')[1]?.input).toContain('- data.csv')
})

it('a request of the caller can be shown exactly, although the agent was deleted since', async () => {
  const lead = pair(say({ text: 'Seven.' }))
  const id = await run(lead)
  house.app.agents.remove(house.app.agents.list().items.find(({ name }) => name === 'helper')?.id ?? '')
  expect(await house.app.runs.request(id, 2)).toMatchObject({ exact: true })
})

it('a request of the run inside can be shown exactly, over the API too', async () => {
  const lead = pair({
    ...say(calls(call('note', { text: 'x' })), { text: 'done' }),
    instructions: 'Count well.',
    tools: [uses('note')],
  })
  const id = await run(lead)
  const of = (step: string, parent: string) =>
    ask('/api/runs/{id}/requests/{step}', { params: { id, step }, query: `?parent=${parent}` })
  const second = await (await of('2', 'call_1_1')).json()
  expect([second.exact, JSON.stringify(second.request)]).toEqual([
    true,
    expect.stringMatching(/Count well\.[\s\S]*noted x/),
  ])
  const none = [await of('9', 'call_1_1'), await of('1', 'call_9_9~call_1_1')]
  expect(none.map(({ status }) => status)).toEqual([404, 404])
})

it('law 3: without deltas and progress, the fold of a run with runs inside is the same', async () => {
  const id = await run(
    pair({ ...say(calls(call('note', { text: 'x' })), { text: 'done' }), tools: [uses('note')] }),
  )
  const events = eventsIn(house.app.runs, id)
  const isDelta = ({ type }: RunEvent) => type.endsWith('.delta') || type === 'call.progressed'
  const begun = () =>
    start({
      agent: house.app.runs.get(id).agent,
      input: '',
      threadId: null,
      historyThrough: null,
      history: [],
    })
  const whole = events.reduce<RunState>(fold, begun())
  const settled = events.filter((each) => !isDelta(each)).reduce<RunState>(fold, begun())
  expect(settled).toEqual(whole)
})

function refusal(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message, ...error.detail }
    throw error
  }
  return undefined
}
