/** Forks that continue at a step of a run inside a call. */
import { describe, expect, it } from 'vitest'
import { callAt, runAround } from '#lib/agent/state/inner-path'
import type { JsonObject } from '#lib/spec/json'
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
  waiting,
} from './child-runs.fixture'

playInScene()

type Fork = Parameters<typeof house.app.runs.fork>[1]

async function forked(id: string, request: Fork): Promise<string> {
  const made = await house.app.runs.fork(id, request)
  await ended(made.id)
  return made.id
}

/** Two notes, one after the other, and an answer. */
const noting: JsonObject = {
  ...say(calls(call('note', { text: 'one' })), calls(call('note', { text: 'two' })), { text: 'both noted' }),
  tools: [uses('note')],
}
const inside = 'call_1_1'

describe('a fork at a step inside a call (S1-24)', () => {
  it('keeps the steps before it under their addresses, and the call goes on from there', async () => {
    const parent = await run(pair(noting))
    const id = await forked(parent, { parent: inside, step: 2 })
    expect(did).toEqual(['one', 'two', 'two'])
    const state = stateOf(id)
    expect([state.status, state.answer, resultOf(id)]).toEqual(['completed', 'All done.', 'both noted'])
    expect(resultOf(id, 'call_1_1/call_1_1')).toBe('noted one')
    const inner = runAround(state, 'call_1_1/call_1_1')
    expect(inner?.steps.map(({ number, copied }) => [number, copied])).toEqual([
      [1, 'whole'],
      [2, undefined],
      [3, undefined],
    ])
    expect(all(id, 'run.resumed')).toEqual([])
    expect(all(id, 'call.started').map(({ parent: of, callId }) => [of, callId])).toEqual([
      [undefined, 'call_1_1'],
      ['call_1_1', 'call_1_1'],
      ['call_1_1', 'call_2_1'],
    ])
    expect(house.app.runs.get(id).forkedFrom).toEqual({ runId: parent, parent: inside, step: 2 })
    expect(house.app.runs.get(parent).answer).toBe('All done.')
  })

  it('counts only what it uses itself', async () => {
    const parent = await run(pair(noting))
    const whole = await forked(parent, { parent: inside, step: 1 })
    const last = await forked(parent, { parent: inside, step: 3 })
    const spent = (id: string) => house.app.runs.get(id).usage.output
    expect(spent(last)).toBeLessThan(spent(whole))
    // The answer of the run itself that made the call is copied.
    expect(spent(whole)).toBeLessThan(spent(parent))
    expect(all(last, 'model.requested').filter(({ parent: of }) => of === inside)).toHaveLength(3)
  })

  it('runs a call there with the arguments that a person wrote, checked by its tool', async () => {
    const parent = await run(pair(noting))
    const edit = (args: JsonObject) => ({ parent: inside, step: 2, edit: { callId: 'call_2_1', args } })
    await expect(house.app.runs.fork(parent, edit({ other: 1 }))).rejects.toMatchObject({
      code: 'unprocessable',
      detail: { path: 'edit/args' },
    })
    const id = await forked(parent, edit({ text: 'three' }))
    expect(did).toEqual(['one', 'two', 'three'])
    expect(callAt(stateOf(id), 'call_1_1/call_2_1')).toMatchObject({ edited: 'args', status: 'ok' })
  })

  it('takes a result or a reply that a person wrote, and runs nothing for it', async () => {
    const parent = await run(pair(noting))
    const result = await forked(parent, {
      parent: inside,
      step: 2,
      edit: { callId: 'call_2_1', result: 'already there' },
    })
    expect(resultOf(result, 'call_1_1/call_2_1')).toBe('already there')
    const reply = await forked(parent, {
      parent: inside,
      step: 2,
      edit: { reply: [{ type: 'text', text: 'enough' }] },
    })
    expect([resultOf(reply), house.app.runs.get(reply).forkedFrom?.edit]).toEqual(['enough', 'reply'])
    expect(did).toEqual(['one', 'two'])
  })

  it('keeps results beside it that were there by then, and runs the other calls again', async () => {
    create('quick', {
      ...say(calls(call('note', { text: 'quick' })), { text: 'quick done' }),
      tools: [uses('note')],
    })
    create('slow', {
      ...say(calls(call('wait')), calls(call('note', { text: 'slow' })), { text: 'slow done' }),
      tools: [uses('wait', 'note')],
    })
    const lead = create('lead', {
      ...say(calls(call('slow', { task: 'x' }), call('quick', { task: 'x' })), { text: 'All done.' }),
      tools: [agent('quick'), agent('slow')],
      policies: [{ use: 'execution', strategy: 'parallel' }],
    })
    const parent = begin(lead)
    await until(() => did.includes('quick') && did.length === 2 && resultOf(parent, 'call_1_2') !== undefined)
    gate.open()
    await ended(parent)
    did.splice(0)
    const late = await forked(parent, { parent: 'call_1_1', step: 2 })
    expect([[...did], resultOf(late, 'call_1_2')]).toEqual([['slow'], 'quick done'])
    did.splice(0)
    const early = await forked(parent, { parent: 'call_1_2', step: 1 })
    expect([...did].sort()).toEqual(['quick', 'slow', 'waits call_1_1'])
    expect([resultOf(early), resultOf(early, 'call_1_2')]).toEqual(['slow done', 'quick done'])
  })

  it('finds the files that the run inside had made, in a copy of them', async () => {
    const parent = await run(
      pair({
        ...say(
          calls(call('files.create', { path: 'a.md', content: 'Seven.' })),
          calls(call('files.view', { path: 'a.md' })),
          { text: 'read' },
        ),
        tools: [uses('files.create', 'files.view')],
      }),
    )
    const id = await forked(parent, { parent: inside, step: 2 })
    expect(resultOf(id, 'call_1_1/call_2_1')).toContain('Seven.')
    const again = await forked(id, { parent: inside, step: 2 })
    expect(resultOf(again, 'call_1_1/call_2_1')).toContain('Seven.')
    const begun = all(again, 'run.started').find(({ parent: of }) => of === inside)
    expect([begun?.threadId, begun?.forkedFrom?.runId]).toEqual([house.app.runs.get(again).threadId, parent])
  })

  it('goes on in the background where the call was in the background', async () => {
    const lead = pair(noting, {
      ...say(calls(call('helper', { task: 'x' })), { text: 'I wait.' }, { text: 'All done.' }),
      tools: [agent('helper', { background: true })],
    })
    const parent = await run(lead)
    const id = await forked(parent, { parent: inside, step: 2 })
    expect([did, house.app.runs.get(id).answer]).toEqual([['one', 'two', 'two'], 'All done.'])
    expect(resultOf(id)).toContain('both noted')
  })

  it('asks a person again whom the run inside asked after that step', async () => {
    const parent = begin(pair({ ...noting, policies: [{ use: 'approval' }] }))
    for (const callId of ['call_1_1/call_1_1', 'call_1_1/call_2_1']) {
      await until(() => house.app.runs.get(parent).pending.some((each) => each.callId === callId))
      await house.app.runs.decide(parent, callId, { decision: 'approve' })
    }
    await ended(parent)
    const { id } = await house.app.runs.fork(parent, { parent: inside, step: 2 })
    await waiting(id)
    expect(house.app.runs.get(id).pending.map(({ callId }) => callId)).toEqual(['call_1_1/call_2_1'])
    await house.app.runs.decide(id, 'call_1_1/call_2_1', { decision: 'reject' })
    await ended(id)
    expect(did).toEqual(['one', 'two'])
  })

  it('uses other instructions for the agent of that step, and only for it', async () => {
    const parent = await run(pair({ ...noting, instructions: 'Be brief.' }))
    const id = await forked(parent, { parent: inside, step: 3, overrides: { instructions: 'Be long.' } })
    const said = async (runId: string, step: number, of?: string) =>
      JSON.stringify(await house.app.runs.request(runId, step, of))
    expect(await said(id, 3, inside)).toContain('Be long.')
    expect(await said(id, 1)).not.toContain('Be long.')
    expect(await said(parent, 3, inside)).toContain('Be brief.')
    expect(house.app.runs.get(id).forkedFrom?.changes).toEqual(['instructions'])
  })

  it('uses them whatever entry the agent is called by, and records its new config', async () => {
    create('helper', { ...noting, instructions: 'Be brief.' })
    create('other', {
      ...say(calls(call('helper', { task: 'y' })), { text: 'other' }),
      tools: [agent('helper')],
    })
    const lead = create('lead', {
      ...say(calls(call('other', { task: 'x' })), calls(call('helper', { task: 'x' })), {
        text: 'All done.',
      }),
      tools: [agent('other'), agent('helper', { version: 1 })],
    })
    const parent = await run(lead)
    const overrides = { instructions: 'Be long.' }
    for (const [at, step] of [
      ['call_1_1/call_1_1', 3],
      ['call_2_1', 3],
    ] as const) {
      const id = await forked(parent, { parent: at, step, overrides })
      expect(JSON.stringify(await house.app.runs.request(id, 3, at))).toContain('Be long.')
      const begun = all(id, 'run.started')
      const hash = begun.find(({ parent: of }) => of === at)?.agent.configHash
      expect(hash).not.toBe(all(parent, 'run.started').find(({ parent: of }) => of === at)?.agent.configHash)
      expect(begun.at(-1)?.agent.configHash).toBe(hash)
    }
  })

  it('does not run a call in the background beside it again whose result is on record', async () => {
    create('quick', {
      ...say(calls(call('note', { text: 'quick' })), { text: 'quick done' }),
      tools: [uses('note')],
    })
    const lead = create('lead', {
      ...say(calls(call('quick', { task: 'x' }), call('wait')), { text: 'I wait.' }, { text: 'All done.' }),
      tools: [agent('quick'), { ...uses('wait'), background: true }],
      policies: [{ use: 'execution', strategy: 'parallel' }],
    })
    const parent = begin(lead)
    await until(() => resultOf(parent) !== undefined && did.includes('waits call_1_2'))
    gate.open()
    await ended(parent)
    did.splice(0)
    const id = await forked(parent, { parent: inside, step: 2 })
    expect([did, resultOf(id), resultOf(id, 'call_1_2')]).toEqual([[], 'quick done', 'waited'])
    // The result is there before the model is asked again, so it need not wait for it.
    expect(house.app.runs.get(id).answer).toBe('I wait.')
  })

  it('does not count a run inside as going on whose call was stopped by its time limit', async () => {
    create('slow', { ...say(calls(call('wait')), { text: 'slow done' }), tools: [uses('wait')] })
    create('helper', noting)
    const lead = create('lead', {
      ...say(calls(call('slow', { task: 'x' })), calls(call('helper', { task: 'x' })), { text: 'All done.' }),
      tools: [agent('slow', { timeoutSeconds: 0.1 }), agent('helper')],
    })
    const parent = await run(lead)
    expect(resultOf(parent)).toContain('slow')
    const id = await forked(parent, { parent: 'call_2_1', step: 2 })
    const begun = all(id, 'run.started').map(({ parent: of, forkedFrom }) => [of, forkedFrom?.runId])
    expect(begun).toEqual([
      [undefined, parent],
      ['call_1_1', undefined],
      ['call_2_1', parent],
    ])
  })

  it('can continue at every step of a chain of agents, each time to the same end', async () => {
    create('deep', noting)
    create('middle', {
      ...say(calls(call('note', { text: 'before' })), calls(call('deep', { task: 'x' })), { text: 'middle' }),
      tools: [agent('deep'), uses('note')],
    })
    const top = create('top', {
      ...say(calls(call('middle', { task: 'x' })), { text: 'top' }),
      tools: [agent('middle')],
    })
    const parent = await run(top)
    const steps = [
      ...[1, 2, 3].map((step) => ({ parent: 'call_1_1', step })),
      ...[1, 2, 3].map((step) => ({ parent: 'call_1_1/call_2_1', step })),
    ]
    const notes: number[] = []
    for (const each of steps) {
      did.splice(0)
      const id = await forked(parent, each)
      notes.push(did.length)
      expect([house.app.runs.get(id).answer, resultOf(id), resultOf(id, 'call_1_1/call_2_1')]).toEqual([
        'top',
        'middle',
        'both noted',
      ])
    }
    expect(notes).toEqual([3, 2, 0, 2, 1, 0])
  })

  it('uses the agents that are stored with its run, though one was published anew and one deleted since', async () => {
    create('deep', { ...noting, instructions: 'Be brief.' })
    create('middle', {
      ...say(calls(call('deep', { task: 'x' })), { text: 'middle' }),
      tools: [agent('deep')],
    })
    const parent = await run(
      create('top', {
        ...say(calls(call('middle', { task: 'x' })), { text: 'top' }),
        tools: [agent('middle')],
      }),
    )
    const { agents } = house.app
    const idOf = (name: string) => agents.list().items.find((each) => each.name === name)?.id ?? ''
    const { revision } = agents.get(idOf('deep'))
    const changed = { name: 'deep', ...say({ text: 'changed' }), instructions: 'Be long.' }
    const { graph } = house.app.decompile(changed)
    const saved = agents.save(idOf('deep'), { revision, graph })
    agents.publish(idOf('deep'), { revision: saved.revision })
    agents.remove(idOf('middle'))
    did.splice(0)
    for (const request of [
      { parent: 'call_1_1/call_1_1', step: 2 },
      { parent: 'call_1_1', step: 1 },
    ]) {
      const id = await forked(parent, request)
      expect([house.app.runs.get(id).answer, resultOf(id), resultOf(id, 'call_1_1/call_1_1')]).toEqual([
        'top',
        'middle',
        'both noted',
      ])
      const asked = JSON.stringify(await house.app.runs.request(id, 2, 'call_1_1/call_1_1'))
      expect(asked).toContain('Be brief.')
    }
    expect(did).toEqual(['two', 'one', 'two'])
  })

  it('can continue three agents deep, and with a background call on the way', async () => {
    create('third', noting)
    create('second', {
      ...say(calls(call('third', { task: 'x' })), { text: 'second waits' }, { text: 'second' }),
      tools: [agent('third', { background: true })],
    })
    create('first', {
      ...say(calls(call('second', { task: 'x' })), { text: 'first' }),
      tools: [agent('second')],
    })
    const parent = await run(
      create('top', {
        ...say(calls(call('first', { task: 'x' })), { text: 'top' }),
        tools: [agent('first')],
      }),
    )
    did.splice(0)
    const deepest = 'call_1_1/call_1_1/call_1_1'
    const edit = { callId: 'call_2_1', args: { text: 'three' } }
    const id = await forked(parent, { parent: deepest, step: 2, edit })
    expect([did, house.app.runs.get(id).answer]).toEqual([['three'], 'top'])
    expect([resultOf(id, deepest), resultOf(id, `${deepest}/call_2_1`)]).toEqual([
      expect.stringContaining('both noted'),
      'noted three',
    ])
  })

  it.each<[string, Fork, object]>([
    [
      'a call that ran no agent',
      { parent: 'call_9_9', step: 1 },
      { code: 'not_found', detail: { path: 'parent' } },
    ],
    [
      'a step that its run has not',
      { parent: inside, step: 9 },
      { code: 'not_found', detail: { path: 'step' } },
    ],
    [
      'another question, since the task is in the arguments of the call',
      { parent: inside, step: 1, edit: { prompt: 'Other.' } },
      { code: 'unprocessable', detail: { path: 'edit/prompt' } },
    ],
    [
      'the draft, since its agents are those of its run',
      { parent: inside, step: 1, version: 'draft' },
      { code: 'unprocessable', detail: { path: 'version' } },
    ],
  ])('refuses %s', async (_, request, error) => {
    const parent = await run(pair(noting))
    await expect(house.app.runs.fork(parent, request)).rejects.toMatchObject(error)
  })
})
