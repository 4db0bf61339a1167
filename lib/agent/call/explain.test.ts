import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BoundPolicy, Stage, Verdict } from '#lib/spec/policy'
import { budgeting, repeating } from '../policies.fixture'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  fresh,
  of,
  replay,
  text,
} from '../rig.fixture'
import { grantKey } from '../state/approval-fold'
import { explain } from './explain'

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, count: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
}
const tool = createTool('files.read', { parameters })
const good = '{"path":"a.txt"}'

function ruling(stage: Stage, verdict: Verdict | undefined, node: string): BoundPolicy {
  return createPolicy(stage.split('.')[0] ?? stage, node, {
    stages: [stage],
    rule: (_, { moment }) =>
      verdict === undefined || moment === 'offer'
        ? undefined
        : { verdict, reason: `${stage} says ${verdict}` },
  })
}

const asked = (policies: readonly BoundPolicy[], rawArgs = good, name = 'files.read', tools = [tool]) =>
  explain({ tools, policies, state: fresh() }, { name, rawArgs })

describe('Why a call would be blocked', () => {
  test('a call that runs tells every question in the order of the stages, whatever the order of the policies', () => {
    const { asked: told, outcome } = asked([
      ruling('approval', undefined, 'policies/0'),
      ruling('skills.deny', undefined, 'policies/1'),
    ])
    expect(told).toEqual([
      { stage: 'registered', policy: null, node: 'tools/0', verdict: 'allow' },
      { stage: 'offered', policy: null, node: 'tools/0', verdict: 'allow' },
      { stage: 'read', policy: null, node: 'tools/0', verdict: 'allow' },
      { stage: 'skills.deny', policy: 'skills', node: 'policies/1', verdict: 'allow' },
      { stage: 'schema', policy: null, node: 'tools/0', verdict: 'allow' },
      { stage: 'approval', policy: 'approval', node: 'policies/0', verdict: 'allow' },
    ])
    expect(outcome).toEqual({ type: 'runs', args: { path: 'a.txt' } })
    expect(tool.ran).toEqual([])
  })

  test('the first denial ends the asking, and the message is the one the model would read', () => {
    const { asked: told, outcome } = asked([
      ruling('risk', 'confirm', 'policies/0'),
      ruling('repeat', 'deny', 'policies/1'),
      ruling('approval', 'confirm', 'policies/2'),
    ])
    expect(told.map(({ stage, verdict }) => `${stage} ${verdict}`)).toEqual([
      'registered allow',
      'offered allow',
      'read allow',
      'risk confirm',
      'repeat deny',
    ])
    expect(outcome).toMatchObject({
      type: 'refused',
      status: 'denied',
      message: expect.stringContaining('files.read is not permitted: repeat says deny.'),
    })
  })

  test('arguments that do not fit are told where they are found out, before the policies that read them', () => {
    const { asked: told, outcome } = asked(
      [ruling('risk', undefined, 'policies/0'), ruling('approval', 'confirm', 'policies/1')],
      '{"path":7,"more":1}',
    )
    expect(told.at(-1)).toMatchObject({
      stage: 'schema',
      verdict: 'deny',
      reason: expect.stringContaining('do not fit'),
    })
    expect(outcome).toMatchObject({ type: 'refused', status: 'error', code: 'args_schema' })
    expect(asked([], '{"path":').asked.at(-1)).toMatchObject({ stage: 'read', verdict: 'deny' })
    expect(asked([], '{"path":').outcome).toMatchObject({ code: 'args_json' })
    expect(asked([], '{"path":"a","count":"7"}').outcome).toEqual({
      type: 'runs',
      args: { path: 'a', count: 7 },
    })
  })

  test('a tool that is not there or is withheld is told before any policy rules on the call', () => {
    expect(asked([], good, 'files.write')).toMatchObject({
      tool: 'files.write',
      asked: [{ stage: 'registered', node: null, verdict: 'deny' }],
      outcome: { code: 'unknown_tool', message: expect.stringContaining('files.read') },
    })
    expect(asked([denying('files.read')])).toMatchObject({
      asked: [
        { stage: 'registered', verdict: 'allow' },
        {
          stage: 'offered',
          policy: 'skills',
          node: 'policies/0',
          verdict: 'deny',
          reason: 'skills denies files.read',
        },
        { stage: 'skills.deny', policy: 'skills', verdict: 'deny' },
      ],
      outcome: { status: 'denied' },
    })
  })

  test('preset arguments are named, and what the call says of them counts as not said', () => {
    const preset = createTool('sql.execute', {
      preset: ['database'],
      parameters: { type: 'object', additionalProperties: false },
    })
    const told = asked([], '{"database":"other"}', 'sql.execute', [preset])
    expect(told.asked[3]).toMatchObject({
      stage: 'preset',
      verdict: 'allow',
      reason: "database is set by the tool's own settings; the call’s own value of database is ignored",
    })
    expect(told.outcome).toEqual({ type: 'runs', args: {} })
  })

  test('with a run its counters and the confirmations given for it count', async () => {
    const failing = createTool('files.read', {
      parameters,
      run: () => ({ ok: false, code: 'gone', message: 'gone' }),
    })
    const policies = [repeating(2), budgeting({ calls: 3 }), ruling('approval', 'confirm', 'policies/9')]
    const again = { name: 'files.read', args: good }
    const { deps } = createRig({
      play: [calls(again), calls(again), text('done')],
      tools: [failing],
      policies: policies.slice(0, 2),
    })
    const state = replay(await collect(deps))
    expect(
      explain({ tools: [failing], policies, state }, { name: 'files.read', rawArgs: good }).outcome,
    ).toMatchObject({
      status: 'denied',
      message: expect.stringContaining('has failed 2 times'),
    })
    const other = { name: 'files.read', rawArgs: '{"path":"b.txt"}' }
    expect(explain({ tools: [failing], policies, state }, other).outcome).toMatchObject({ type: 'asks' })
    state.granted.add(grantKey('policies/9', 'files.read', 'approval says confirm'))
    const granted = explain({ tools: [failing], policies, state }, other)
    expect(granted.outcome).toMatchObject({ type: 'runs' })
    expect(granted.asked.at(-1)).toMatchObject({ stage: 'approval', verdict: 'confirm', granted: true })
  })

  test('a confirmation for the run counts whichever of its names the call is made by', () => {
    const named = createTool('files.read', { aliases: ['read'] })
    const policies = [ruling('approval', 'confirm', 'policies/9')]
    const state = replay([])
    state.granted.add(grantKey('policies/9', 'files.read', 'approval says confirm'))
    const told = explain({ tools: [named], policies, state }, { name: 'read', rawArgs: good })
    expect(told).toMatchObject({ tool: 'files.read', outcome: { type: 'runs' } })
    expect(told.asked.at(-1)).toMatchObject({ stage: 'approval', granted: true })
  })

  test('says of every call what a run makes of it', async () => {
    const stage = fc.constantFrom<Stage>(
      'skills.deny',
      'mcp',
      'risk',
      'budget',
      'repeat',
      'arguments',
      'approval',
    )
    const verdict = fc.constantFrom<Verdict | undefined>(undefined, undefined, 'deny', 'confirm', 'limit')
    const rawArgs = fc.constantFrom(good, '{}', '{"path":"a","count":"7"}', '{"path"', '[]')
    const name = fc.constantFrom('files.read', 'files.read', 'no_such')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(stage, verdict), { maxLength: 4 }),
        rawArgs,
        name,
        async (given, raw, called) => {
          const policies = given.map(([each, said], index) => ruling(each, said, `policies/${index}`))
          const { deps } = createRig({
            play: [calls({ name: called, args: raw }), text('done')],
            tools: [tool],
            policies,
          })
          const events = await collect(deps)
          const { outcome } = asked(policies, raw, called)
          const [finished] = of(events, 'call.finished')
          switch (outcome.type) {
            case 'runs':
              expect(of(events, 'call.started')).toMatchObject([{ args: outcome.args }])
              break
            case 'asks':
              expect(of(events, 'approval.requested')).toMatchObject([{ args: outcome.args }])
              break
            case 'refused':
              expect(finished).toMatchObject({
                status: outcome.status,
                code: outcome.code,
                result: { text: outcome.message },
              })
              break
            default:
              outcome satisfies never
          }
        },
      ),
    )
  }, 60_000)
})
