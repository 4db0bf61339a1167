/** Several agents on the event stream of one run: whose events they are, and how a failure of one of them ends. */
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import {
  agent,
  begin,
  call,
  calls,
  create,
  did,
  ended,
  gate,
  house,
  playInScene,
  resultOf,
  run,
  say,
  until,
  uses,
} from './child-runs.fixture'

playInScene()

/** All events of the run, as one client reads them until the stream ends. */
async function streamOf(id: string): Promise<RunEvent[]> {
  const events: RunEvent[] = []
  for await (const frame of house.app.runs.watch(id, 0, AbortSignal.timeout(10_000)))
    if (frame !== 'beat') events.push(JSON.parse(frame.json))
  return events
}

function sideBySide(first: JsonObject, second: JsonObject): string {
  create('ada', first)
  create('bob', second)
  return create('lead', {
    ...say(calls(call('ada', { task: 'A' }), call('bob', { task: 'B' })), { text: 'All done.' }),
    tools: [agent('ada'), agent('bob')],
    policies: [{ use: 'execution', strategy: 'parallel' }],
  })
}

const waiting = {
  ...say(calls(call('wait')), calls(call('wait')), { text: 'waited' }),
  tools: [uses('wait')],
}

describe('agents that share one stream', () => {
  it('S4-24 two agents interleave on it, each event with the call of its agent, to every reader alike', async () => {
    const id = begin(sideBySide(waiting, waiting))
    const read = Promise.all([streamOf(id), streamOf(id)])
    await until(() => did.length === 2)
    gate.open()
    const [events, again] = await read
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    const begun = events.flatMap((each) =>
      each.type === 'run.started' ? [[each.parent, each.agent.name]] : [],
    )
    expect(begun).toEqual([
      [undefined, 'lead'],
      ['call_1_1', 'ada'],
      ['call_1_2', 'bob'],
    ])
    const owners = events.flatMap(({ parent }) => (parent === undefined ? [] : [parent]))
    expect(owners.lastIndexOf('call_1_1')).toBeGreaterThan(owners.indexOf('call_1_2'))
    expect(owners.lastIndexOf('call_1_2')).toBeGreaterThan(owners.indexOf('call_1_1'))
    // What one reader does with an event changes nothing for another.
    for (const each of events) Object.assign(each, { parent: 'changed' })
    expect(again.some(({ parent }) => parent === 'changed')).toBe(false)
    expect(await streamOf(id)).toEqual(again)
  })

  it('S4-24 a failure of one of them is the end of its own run and an error of its call, and the stream ends', async () => {
    gate.open()
    const failing = say({ text: 'half a', fault: { status: 400 } })
    const id = begin(sideBySide(failing, waiting))
    const events = await streamOf(id)
    const ends = events.flatMap((each) => (each.type === 'run.finished' ? [[each.parent, each.status]] : []))
    expect(ends.at(-1)).toEqual([undefined, 'completed'])
    expect(new Map(ends.map(([parent, status]) => [parent, status]))).toEqual(
      new Map([
        ['call_1_1', 'failed'],
        ['call_1_2', 'completed'],
        [undefined, 'completed'],
      ]),
    )
    expect([resultOf(id, 'call_1_1'), resultOf(id, 'call_1_2')]).toEqual([
      expect.stringContaining('ada did not finish. '),
      'waited',
    ])
  })

  it('S4-24 a failure of the run itself ends the agents inside and the stream, with its reason', async () => {
    gate.open()
    create('ada', waiting)
    const lead = create('lead', {
      ...say(calls(call('ada', { task: 'A' })), {
        text: 'half a',
        fault: { status: 400 },
      }),
      tools: [agent('ada')],
    })
    const id = await run(lead)
    await ended(id)
    const last = (await streamOf(id)).at(-1)
    expect(last).toMatchObject({
      type: 'run.finished',
      status: 'failed',
      error: { code: expect.stringMatching(/^model_/) },
    })
  })
})
