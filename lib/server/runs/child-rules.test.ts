import { describe, expect, it } from 'vitest'
import { callAt } from '#lib/agent/state/inner-path'
import type { JsonObject } from '#lib/spec/json'
import type { KeptMock } from '#lib/spec/trial'
import { callInAddress } from '#lib/wire/call-address'
import { ask } from '../house.fixture'
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

describe('people and the runs inside (S1-24)', () => {
  const asks = { tools: [uses('note')], policies: [{ use: 'approval' }] }
  const noting = { ...say(calls(call('note', { text: 'x' })), { text: 'noted it' }), ...asks }

  it('a call inside waits for a person, in the list of the root run, and goes on once approved', async () => {
    const id = begin(pair(noting))
    await waiting(id)
    await until(() => all(id, 'call.rested').length === 1)
    expect(house.app.runs.get(id).pending).toMatchObject([
      { callId: 'call_1_1/call_1_1', kind: 'approval', tool: 'note', args: { text: 'x' } },
    ])
    await house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' })
    await ended(id)
    expect([did, resultOf(id), house.app.runs.get(id).pending]).toEqual([['x'], 'noted it', []])
    expect(all(id, 'run.resumed')).toEqual([])
    expect(all(id, 'call.started').map(({ parent, name }) => [parent, name])).toEqual([
      [undefined, 'helper'],
      ['call_1_1', 'note'],
    ])
  })

  it('over the API, its ids are joined by a sign that needs no encoding', async () => {
    const id = begin(pair(noting))
    await waiting(id)
    const answer = await ask('/api/runs/{id}/approvals/{callId}', {
      method: 'POST',
      params: { id, callId: callInAddress('call_1_1/call_1_1') },
      body: { decision: 'approve' },
    })
    await ended(id)
    expect([answer.status, did]).toEqual([200, ['x']])
  })

  it('a rejection reaches the call inside, and its agent reads why', async () => {
    const id = begin(pair(noting))
    await waiting(id)
    await house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'reject', reason: 'too early' })
    await ended(id)
    expect([did, resultOf(id, 'call_1_1/call_1_1')]).toEqual([
      [],
      'Error: Not run, since a person said no to it: too early.',
    ])
  })

  it('edited arguments of a call inside are checked by its tool, and used', async () => {
    const id = begin(pair(noting))
    await waiting(id)
    const decide = (args: JsonObject) =>
      house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve', args })
    await expect(decide({ other: 'x' })).rejects.toMatchObject({ code: 'unprocessable' })
    await decide({ text: 'better' })
    await ended(id)
    expect(did).toEqual(['better'])
  })

  it('a decision is made once: the same again changes nothing, another is refused', async () => {
    const id = begin(pair(noting))
    await waiting(id)
    await house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' })
    await house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' })
    await expect(
      house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'reject' }),
    ).rejects.toMatchObject({ code: 'conflict' })
    await ended(id)
    expect(did).toEqual(['x'])
  })

  it('a question inside is answered through the root run', async () => {
    const id = begin(
      pair({ ...say(calls(call('ask_person')), { text: 'thanks' }), tools: [uses('ask_person')] }),
    )
    await waiting(id)
    expect(house.app.runs.get(id).pending).toMatchObject([
      { callId: 'call_1_1/call_1_1', kind: 'input', input: { question: 'Which city?' } },
    ])
    await house.app.runs.reply(id, 'call_1_1/call_1_1', { text: 'Lisbon' })
    await ended(id)
    expect(resultOf(id, 'call_1_1/call_1_1')).toBe('the city is Lisbon')
  })

  it('a question inside is answered once: another answer is refused, also after the end', async () => {
    const id = begin(
      pair({ ...say(calls(call('ask_person')), { text: 'thanks' }), tools: [uses('ask_person')] }),
    )
    await waiting(id)
    const reply = (text: string) => house.app.runs.reply(id, 'call_1_1/call_1_1', { text })
    await Promise.all([reply('Lisbon'), reply('Lisbon')])
    await ended(id)
    await reply('Lisbon')
    await expect(reply('Porto')).rejects.toMatchObject({
      code: 'conflict',
      message: 'The question was already answered, by a person.',
    })
    expect(all(id, 'input.given').map(({ parent }) => parent)).toEqual(['call_1_1'])
  })

  it('a call inside that nobody decides on in time does not run, and a late word is refused', async () => {
    const policies = [{ use: 'approval', timeoutSeconds: 0.2 }]
    const id = begin(pair({ ...noting, policies }))
    await waiting(id)
    await ended(id)
    expect([did, resultOf(id, 'call_1_1/call_1_1')]).toEqual([
      [],
      expect.stringContaining('nobody decided on it in time'),
    ])
    await expect(
      house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' }),
    ).rejects.toMatchObject({ code: 'conflict' })
  })

  it('one call inside is decided while another works', async () => {
    const both: JsonObject = {
      ...say(calls(call('note', { text: 'x' }), call('wait')), { text: 'both' }),
      tools: [uses('note', 'wait')],
      policies: [
        { use: 'approval', appliesTo: ['note'] },
        { use: 'execution', strategy: 'parallel' },
      ],
    }
    const id = begin(pair(both))
    await until(() => did.length === 1)
    await house.app.runs.decide(id, 'call_1_1/call_1_1', { decision: 'approve' })
    await until(() => did.includes('x'))
    gate.open()
    await ended(id)
    expect([did, resultOf(id)]).toEqual([['waits call_1_2', 'x'], 'both'])
    expect(all(id, 'call.rested')).toEqual([])
  })

  it('two agents deep, a call waits and goes on', async () => {
    create('deep', noting)
    create('middle', {
      ...say(calls(call('deep', { task: 'Note.' })), { text: 'middle' }),
      tools: [agent('deep')],
    })
    const top = create('top', {
      ...say(calls(call('middle', { task: 'Go.' })), { text: 'top' }),
      tools: [agent('middle')],
    })
    const id = begin(top)
    await waiting(id)
    await house.app.runs.decide(id, 'call_1_1/call_1_1/call_1_1', { decision: 'approve' })
    await ended(id)
    expect([did, resultOf(id), house.app.runs.get(id).answer]).toEqual([['x'], 'middle', 'top'])
  })

  it('waiting inside counts in no budget, and is over when the run is cancelled', async () => {
    const id = begin(pair(noting, { policies: [{ use: 'budget', seconds: 1 }] }))
    await waiting(id)
    expect(stateOf(id)).toMatchObject({ status: 'waiting', waiting: 1 })
    house.app.runs.cancel(id)
    await ended(id)
    const state = stateOf(id)
    expect([state.status, state.waiting, house.app.runs.get(id).pending, did]).toEqual([
      'cancelled',
      0,
      [],
      [],
    ])
    expect(callAt(state, 'call_1_1/call_1_1')?.status).toBe('skipped')
  })
})

describe('what holds for the calls inside', () => {
  const noting = { ...say(calls(call('note', { text: 'x' })), { text: 'tried' }), tools: [uses('note')] }
  const inside = 'call_1_1/call_1_1'

  it('a tool that the caller denies', async () => {
    const id = await run(pair(noting, { policies: [{ use: 'skills', deny: ['note'] }] }))
    expect([did, resultOf(id, inside)]).toEqual([[], 'Error: note is not permitted: skills denies note.'])
  })

  it('but not what the caller allows, since that names its own tools', async () => {
    await run(pair(noting, { policies: [{ use: 'skills', allow: ['helper'] }] }))
    expect(did).toEqual(['x'])
  })

  it('the risk that the caller allows, asked about inside as well', async () => {
    const id = begin(pair(noting, { policies: [{ use: 'risk', max: 'read', confirm: true }] }))
    await waiting(id)
    await house.app.runs.decide(id, 'call_1_1', { decision: 'approve' })
    await until(() => house.app.runs.get(id).pending[0]?.callId === inside)
    await house.app.runs.decide(id, inside, { decision: 'approve' })
    await ended(id)
    expect(all(id, 'policy.ruled').map(({ parent, node }) => [parent, node])).toEqual([
      [undefined, 'policies/0'],
      ['call_1_1', 'caller/policies/0'],
    ])
  })

  it('what the caller hides, in the observations that the model inside reads', async () => {
    const mailing = {
      ...say(calls(call('note', { text: 'ann@example.com' })), { text: 'ok' }),
      tools: [uses('note')],
    }
    const id = await run(pair(mailing, { policies: [{ use: 'mask', what: ['email'] }] }))
    expect(resultOf(id, inside)).not.toContain('ann@example.com')
  })

  it('what the caller has read from outside taints the calls inside, and the other way round', async () => {
    const taint = { use: 'taint', sources: ['wait'], approve: ['effect'] }
    gate.open()
    create('helper', noting)
    const lead = create('lead', {
      ...say(calls(call('wait')), calls(call('helper', { task: 'Note.' })), { text: 'ok' }),
      tools: [uses('wait'), agent('helper')],
      policies: [{ ...taint, appliesTo: ['note'] }],
    })
    const first = begin(lead)
    await waiting(first)
    expect(house.app.runs.get(first).pending[0]?.callId).toBe('call_2_1/call_1_1')
    house.app.runs.cancel(first)
    create('reader', { ...say(calls(call('wait')), { text: 'read' }), tools: [uses('wait')] })
    const other = create('other', {
      ...say(calls(call('reader', { task: 'Read.' })), calls(call('note', { text: 'y' })), { text: 'ok' }),
      tools: [agent('reader'), uses('note')],
      policies: [{ ...taint, appliesTo: ['note'] }],
    })
    const second = begin(other)
    await waiting(second)
    expect(house.app.runs.get(second).pending[0]?.callId).toBe('call_2_1')
  })

  it('the tokens of the caller’s budget: the run inside ends, and then the run itself', async () => {
    const many = Array.from({ length: 8 }, () => ({
      ...calls(call('wait')),
      usage: { input: 60, output: 40 },
    }))
    gate.open()
    const child = { ...say(...many, { text: 'never' }), tools: [uses('wait')] }
    const id = await run(pair(child, { policies: [{ use: 'budget', tokens: 250 }] }))
    expect(house.app.runs.get(id)).toMatchObject({ status: 'budget' })
    const child1 = callAt(stateOf(id), 'call_1_1')?.inner
    expect([child1?.status, child1?.error?.message]).toEqual([
      'budget',
      'The budget of 250 tokens is used up.',
    ])
    expect(did.length).toBeLessThan(4)
  })

  it('its own secrets and its own rules, whatever the caller allows', async () => {
    const id = begin(pair({ ...noting, policies: [{ use: 'approval' }] }))
    await waiting(id)
    expect(house.app.runs.get(id).pending).toHaveLength(1)
  })

  /** Answers of 100 tokens each, after every one of which the child calls a tool. */
  const busy = (calls1 = 8) => {
    const turns = Array.from({ length: calls1 }, () => ({
      ...calls(call('note', { text: 'x' })),
      usage: { input: 60, output: 40 },
    }))
    return { ...say(...turns, { text: 'never' }), tools: [uses('note')] }
  }
  const insideOf = (id: string) => callAt(stateOf(id), 'call_1_1')?.inner

  it('the seconds of the caller’s budget, which stop a call inside that is at work', async () => {
    const waits = { ...say(calls(call('wait')), { text: 'never' }), tools: [uses('wait')] }
    const id = await run(pair(waits, { policies: [{ use: 'budget', seconds: 0.3 }] }))
    expect(house.app.runs.get(id)).toMatchObject({ status: 'budget' })
    expect(insideOf(id)?.finishedAt).toBeDefined()
    expect([did, resultOf(id)]).toEqual([['waits call_1_1'], expect.not.stringContaining('never')])
  })

  it('the number of calls that the caller may make, counted in each run by itself', async () => {
    const id = await run(pair(busy(), { policies: [{ use: 'budget', calls: 2 }] }))
    expect(did).toHaveLength(2)
    expect([insideOf(id)?.status, insideOf(id)?.error?.message]).toEqual([
      'budget',
      'The budget of 2 calls is used up.',
    ])
    expect(house.app.runs.get(id)).toMatchObject({ status: 'completed', answer: 'All done.' })
  })

  it('but not its limit of steps, since each agent has its own', async () => {
    const id = await run(pair(busy(3), { policies: [{ use: 'steps', max: 2 }] }))
    expect(insideOf(id)?.steps).toHaveLength(4)
    expect([did.length, house.app.runs.get(id).status]).toEqual([3, 'completed'])
    const short = { ...busy(3), policies: [{ use: 'steps', max: 2, onLimit: 'error' }] }
    const lead = create('short-lead', {
      ...say(calls(call('short', { task: 'x' })), { text: 'ok' }),
      tools: [agent('short')],
    })
    create('short', short)
    const limited = await run(lead)
    expect(insideOf(limited)?.status).toBe('max_steps')
    expect(resultOf(limited)).toContain('reached its limit of steps')
  })
})

describe('mocks and the agents that are called', () => {
  const fixed = (text: string): KeptMock => ({
    mock: { answer: { kind: 'fixed', text, format: 'text' } },
    on: true,
  })

  it('a mock of the tool that calls an agent answers, and the agent does not run', async () => {
    const id = pair({ ...say(calls(call('note', { text: 'x' })), { text: 'ok' }), tools: [uses('note')] })
    house.app.mocks.save(id, 'helper', fixed('mocked'))
    expect(resultOf(await run(id))).toBe('mocked')
    expect(did).toEqual([])
  })

  it.each(['draft', 'published'])(
    'mocks of the agent that is called as %s answer nothing',
    async (version) => {
      const helper = create('helper', {
        ...say(calls(call('note', { text: 'x' })), { text: 'ok' }),
        tools: [uses('note')],
      })
      house.app.mocks.save(helper, 'note', fixed('mocked'))
      const lead = create('lead', {
        ...say(calls(call('helper', { task: 'Note.' })), { text: 'All done.' }),
        tools: [agent('helper', { version })],
      })
      const id = await run(lead)
      expect([did, resultOf(id, 'call_1_1/call_1_1')]).toEqual([['x'], 'noted x'])
      // In a run of its own draft, the mock answers.
      expect(resultOf(await run(helper))).toBe('mocked')
    },
  )
})
