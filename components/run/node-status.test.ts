import { describe, expect, it } from 'vitest'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepFinished,
  stepStarted,
} from '#components/trace/run.fixture'
import type { EventBody } from '#lib/spec/event'
import { edgeState, nodeStatus, personaOf } from './node-status'

const sql: Asked = { id: 'call_1_1', name: 'sql.execute', args: { sql: 'SELECT 1' } }
const again: Asked = { id: 'call_1_2', name: 'sql.execute', args: { sql: 'SELECT 2' } }

describe('nodeStatus', () => {
  it('is idle without a run, and for a card that stands for no entry', () => {
    const { state } = record(begin)
    expect(nodeStatus(null, 'agent')).toEqual({ state: 'idle' })
    expect(nodeStatus(state, undefined)).toEqual({ state: 'idle' })
    expect(nodeStatus(state, 'protocol')).toEqual({ state: 'idle' })
    expect(nodeStatus(state, 'tools/1')).toEqual({ state: 'idle' })
  })

  it('S1-23 names the persona of the call that the card is about', () => {
    const by = (body: EventBody, persona: string) => ({ ...body, persona }) as EventBody // cast: the fixture makes events of calls
    const run = record(begin, stepStarted, requested, answered({ calls: [sql, again] }))
    expect([personaOf(null, 'tools/0'), personaOf(run.state, 'tools/0')]).toEqual([undefined, undefined])
    run.tell(by(callStarted(sql, 'tools/0'), 'Clerk'))
    expect(personaOf(run.state, 'tools/0')).toBe('Clerk')
    run.tell(by(callFinished(sql, 'tools/0'), 'Clerk'), by(callStarted(again, 'tools/0'), 'Cashier'))
    expect([personaOf(run.state, 'tools/0'), personaOf(run.state, 'tools/1')]).toEqual(['Cashier', undefined])
    expect([personaOf(run.state, undefined), personaOf(run.state, 'agent')]).toEqual([undefined, undefined])
  })

  it('S4-42 shows a call in the background as working until its result comes, whatever steps follow', () => {
    const detached = { ...callStarted(sql, 'tools/0'), background: 'Started.' } as EventBody // cast: the fixture makes a call.started
    const run = record(begin, stepStarted, requested, answered({ calls: [sql] }), detached, stepFinished)
    const strap = 'background · sql: SELECT 1'
    expect(nodeStatus(run.state, 'tools/0')).toMatchObject({ state: 'working', strap })
    run.tell(stepStarted, requested)
    expect(nodeStatus(run.state, 'tools/0')).toMatchObject({ state: 'working', strap })
    run.tell(callFinished(sql, 'tools/0'))
    expect(nodeStatus(run.state, 'tools/0')).toEqual({ state: 'ok', figure: '41 ms' })
    run.tell(answered({ text: 'Norway.' }), stepFinished, stepStarted)
    expect(nodeStatus(run.state, 'tools/0')).toEqual({ state: 'ok', figure: '41 ms' })
  })

  it('shows the agent at work from its queue to its end, then how long it took', () => {
    const run = record(begin)
    expect(nodeStatus(run.state, 'agent').state).toBe('working')
    run.tell(
      stepStarted,
      requested,
      answered({ text: 'Norway.' }),
      stepFinished,
      runFinished('completed', 'Norway.'),
    )
    expect(nodeStatus(run.state, 'agent')).toEqual({ state: 'ok', figure: '8.00 s' })
  })

  it('shows why a run failed on the agent, and a limit as a word rather than a fault', () => {
    const failed = record(begin, runFinished('failed', null)).state
    expect(nodeStatus(failed, 'agent')).toEqual({ state: 'error', strap: 'The model said nothing.' })
    const limited = record(begin, runFinished('max_steps', 'As far as I came.')).state
    expect(nodeStatus(limited, 'agent')).toMatchObject({ state: 'idle', figure: 'Step limit' })
  })

  it('shows the model at work while a request is open, with the last it said', () => {
    const run = record(begin, stepStarted, requested)
    expect(nodeStatus(run.state, 'model')).toMatchObject({ state: 'working', since: 3_000 })
    run.tell({ type: 'text.delta', text: 'I look\n at the tables' })
    expect(nodeStatus(run.state, 'model').strap).toBe('I look at the tables')
    run.tell(answered({ calls: [sql] }))
    expect(nodeStatus(run.state, 'model')).toEqual({ state: 'ok', figure: '1×' })
    run.tell(callStarted(sql, 'tools/1'), callFinished(sql, 'tools/1'), stepFinished, stepStarted)
    expect(nodeStatus(run.state, 'model')).toEqual({ state: 'ok', figure: '1×' })
  })

  it('shows the model at work while a failed request waits to be made again, with why it failed', () => {
    const run = record(begin, stepStarted, requested)
    run.tell({ type: 'model.retried', attempt: 1, code: 'http', reason: 'It failed.', waitMs: 2_000 })
    expect(nodeStatus(run.state, 'model')).toEqual({
      state: 'working',
      since: 4_000,
      strap: 'retrying: It failed.',
    })
  })

  it('shows a tool at work while its arguments stream and while its body runs', () => {
    const run = record(begin, stepStarted, requested)
    run.tell({ type: 'call.delta', callId: sql.id, name: sql.name, argsText: '{"sql":"SEL' })
    expect(nodeStatus(run.state, 'tools/1')).toMatchObject({
      state: 'working',
      strap: 'sql: SEL',
    })
    expect(edgeState(run.state, { from: 'tools/1' })).toBe('use')
    expect(edgeState(run.state, { from: 'tools/0' })).toBeUndefined()
    run.tell(answered({ calls: [sql, again] }), callStarted(sql, 'tools/1'))
    expect(nodeStatus(run.state, 'tools/1')).toEqual({
      state: 'working',
      strap: 'sql: SELECT 1',
      since: 6_000,
    })
    run.tell(callFinished(sql, 'tools/1'))
    expect(nodeStatus(run.state, 'tools/1')).toEqual({ state: 'ok', figure: '41 ms' })
    run.tell(callStarted(again, 'tools/1'), callFinished(again, 'tools/1'))
    expect(nodeStatus(run.state, 'tools/1')).toEqual({ state: 'ok', figure: '2×' })
    expect(edgeState(run.state, { from: 'tools/1' })).toBeUndefined()
  })

  it('shows an error with its message, and a denial with the reason of the policy', () => {
    const broken = record(
      begin,
      stepStarted,
      requested,
      answered({ calls: [sql] }),
      callStarted(sql, 'tools/1'),
    )
    broken.tell(callFinished(sql, 'tools/1', { status: 'error', text: 'no such table', code: 'sql' }))
    expect(nodeStatus(broken.state, 'tools/1')).toEqual({ state: 'error', strap: 'no such table' })

    const denied = record(begin, stepStarted, requested, answered({ calls: [sql] }))
    denied.tell(
      {
        type: 'policy.ruled',
        policy: 'skills',
        node: 'policies/0',
        tool: sql.name,
        callId: sql.id,
        verdict: 'deny',
        reason: 'sql.execute is denied',
      },
      callFinished(sql, 'tools/1', { status: 'denied' }),
    )
    expect(nodeStatus(denied.state, 'tools/1')).toEqual({ state: 'denied', strap: 'sql.execute is denied' })
    expect(nodeStatus(denied.state, 'policies/0')).toEqual({ state: 'idle', figure: '1 ruling' })
  })

  it('says why a call was denied where no ruling denied it', () => {
    const refused = record(begin, stepStarted, requested, answered({ calls: [sql] }))
    refused.tell(
      callFinished(sql, 'tools/1', { status: 'denied', text: `${sql.name} is not permitted: no one may.` }),
    )
    expect(nodeStatus(refused.state, 'tools/1')).toEqual({ state: 'denied', strap: 'no one may.' })

    const unasked = record(begin, stepStarted, requested, answered({ calls: [sql] }))
    unasked.tell(
      {
        type: 'policy.ruled',
        policy: 'approval',
        node: 'policies/0',
        tool: sql.name,
        callId: sql.id,
        verdict: 'confirm',
        reason: 'a person decides on sql.execute',
      },
      callFinished(sql, 'tools/1', { status: 'denied' }),
    )
    expect(nodeStatus(unasked.state, 'tools/1').strap).toBe('a person decides on sql.execute')

    const silent = record(begin, stepStarted, requested, answered({ calls: [sql] }))
    silent.tell(callFinished(sql, 'tools/1', { status: 'denied', text: '' }))
    expect(nodeStatus(silent.state, 'tools/1').strap).toBe('Denied')
  })

  it('shows an entry withheld only when all its tools are', () => {
    const { state } = record(begin)
    expect(nodeStatus(state, 'tools/2')).toEqual({
      state: 'withheld',
      strap: 'denied by skills',
      figure: '1 withheld',
    })
    expect(nodeStatus(state, 'policies/0')).toEqual({ state: 'idle', figure: '1 withheld' })
    expect(nodeStatus(state, 'policies/1')).toEqual({ state: 'idle' })
  })

  it('leaves nothing lit when the run was cancelled in the middle of a call', () => {
    const run = record(begin, stepStarted, requested, answered({ calls: [sql] }), callStarted(sql, 'tools/1'))
    run.tell(runFinished('cancelled', null))
    for (const path of ['agent', 'model', 'tools/0', 'tools/1', 'policies/0']) {
      expect(nodeStatus(run.state, path).state, path).not.toBe('working')
    }
  })

  it('leaves the model not lit when the run was cancelled before it answered', () => {
    const run = record(begin, stepStarted, requested, runFinished('cancelled', null))
    expect(nodeStatus(run.state, 'model').state).not.toBe('working')
  })

  it('shows a call that waits for a person over one at work, on its card and on the wire of who asks', () => {
    const run = record(begin, stepStarted, requested, answered({ calls: [sql, again] }))
    run.tell(callStarted(again, 'tools/1'))
    const asked: Asks = { policy: 'approval', node: 'policies/1', tool: sql.name, callId: sql.id }
    run.tell(
      { type: 'policy.ruled', ...asked, verdict: 'confirm', reason: 'it writes' },
      { type: 'approval.requested', callId: sql.id, tool: sql.name, args: {}, expiresAt: null },
    )
    expect(nodeStatus(run.state, 'tools/1')).toMatchObject({ state: 'waiting', strap: 'Waiting for you' })
    expect(edgeState(run.state, { from: 'policies/1', to: 'tools/1' })).toBe('waiting')
    expect(edgeState(run.state, { from: 'policies/1', to: 'agent' })).toBe('waiting')
    expect(edgeState(run.state, { from: 'policies/1', to: 'tools/0' })).toBeUndefined()
    expect(edgeState(run.state, { from: 'policies/0', to: 'tools/1' })).toBeUndefined()
    run.tell({
      type: 'approval.decided',
      callId: sql.id,
      decision: 'approve',
      scope: 'call',
      by: 'person',
    })
    expect(nodeStatus(run.state, 'tools/1').state).toBe('working')
    expect(edgeState(run.state, { from: 'policies/1', to: 'tools/1' })).toBeUndefined()
  })

  it('begins the line of a card of several tools with the name of the tool', () => {
    const tools = {
      offered: ['sql.execute', 'sql.explain'].map((name) => ({ name, node: 'tools/1' })),
      withheld: [],
    }
    const run = record({ ...begin, tools } as EventBody, stepStarted, requested) // cast: `begin` is a run.started
    run.tell({ type: 'call.delta', callId: sql.id, name: sql.name, argsText: '{"sql":"SEL' })
    expect(nodeStatus(run.state, 'tools/1').strap).toBe('sql.execute · sql: SEL')
    const bare = { ...sql, args: {} }
    run.tell(answered({ calls: [bare] }), callStarted(bare, 'tools/1'))
    expect(nodeStatus(run.state, 'tools/1').strap).toBe('sql.execute')
    run.tell({ type: 'approval.requested', callId: sql.id, tool: sql.name, args: {}, expiresAt: null })
    expect(nodeStatus(run.state, 'tools/1').strap).toBe('sql.execute · Waiting for you')
  })

  it('counts no answer for a request that was cancelled', () => {
    const cancelled = { ...answered({}), finishReason: 'cancelled' } as EventBody // cast: `answered` is a model.answered
    const { state } = record(begin, stepStarted, requested, cancelled, runFinished('cancelled', null))
    expect(nodeStatus(state, 'model')).toEqual({ state: 'idle', figure: 'cancelled' })
  })

  it('says what a person gave as the reason of a no', () => {
    const run = record(begin, stepStarted, requested, answered({ calls: [sql] }))
    run.tell(
      { type: 'approval.requested', callId: sql.id, tool: sql.name, args: {}, expiresAt: null },
      {
        type: 'approval.decided',
        callId: sql.id,
        decision: 'reject',
        scope: 'call',
        by: 'person',
        reason: 'Not there.',
      },
      callFinished(sql, 'tools/1', { status: 'denied' }),
    )
    expect(nodeStatus(run.state, 'tools/1')).toEqual({ state: 'denied', strap: 'Rejected: Not there.' })
  })

  it('counts the calls of finished steps once, and those of later steps with them', () => {
    const run = record(begin)
    for (let step = 1; step <= 5; step++) {
      const call = { ...sql, id: `call_${step}` }
      run.tell(stepStarted, requested, answered({ calls: [call] }))
      run.tell(callStarted(call, 'tools/1'), callFinished(call, 'tools/1'))
      expect(nodeStatus(run.state, 'tools/1')).toEqual({
        state: 'ok',
        figure: step === 1 ? '41 ms' : `${step}×`,
      })
      run.tell(stepFinished)
      expect(nodeStatus(run.state, 'tools/1').state).toBe('ok')
    }
  })
})

interface Asks {
  readonly policy: string
  readonly node: string
  readonly tool: string
  readonly callId: string
}
