import { describe, expect, test } from 'vitest'
import { budgeting, repeating } from './policies.fixture'
import { calls, collect, createRig, createTool, endOf, fresh, of, said, type Turn, text } from './rig.fixture'

describe('a call that fails again and again', () => {
  const bad = { name: 'look', args: { table: 'nope', n: 1 } }
  const same = { name: 'look', args: { n: 1, table: 'nope' } }
  const other = { name: 'look', args: { n: 2, table: 'nope' } }

  test('is refused with a hint, however its keys are ordered; others are not (E-33, S3-23)', async () => {
    const look = createTool('look', { run: () => ({ ok: false, message: 'no such table' }) })
    const { deps, model } = createRig({
      play: [calls(bad), calls(same, bad), calls(same, other), text('I give up')],
      tools: [look],
      policies: [repeating(3)],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_2_1', 'call_2_2', 'call_3_2'])
    expect(of(events, 'policy.ruled')).toMatchObject([
      { callId: 'call_3_1', verdict: 'deny', node: 'policies/3' },
    ])
    expect(model.requests[3]?.messages.at(-2)).toMatchObject({
      text: 'Error: look is not permitted: this call has failed 3 times; try another way.',
    })
    expect(endOf(events).answer).toBe('I give up')
  })

  test('is known by the arguments it ran with, in whatever form they were sent', async () => {
    const parameters = { type: 'object', properties: { n: { type: 'integer' } } }
    const look = createTool('look', { parameters, run: () => ({ ok: false, message: 'no' }) })
    const { deps } = createRig({
      play: [calls({ name: 'look', args: { n: '1' } }), calls({ name: 'look', args: { n: 1 } }), text('ok')],
      tools: [look],
      policies: [repeating(1)],
    })
    const events = await collect(deps)
    expect(of(events, 'call.started').map((event) => event.args)).toEqual([{ n: 1 }])
    expect(of(events, 'call.finished').map((event) => event.status)).toEqual(['error', 'denied'])
  })

  test('that went well is no failure, and neither is one that was skipped', async () => {
    const look = createTool('look')
    const play = [calls('look', 'look'), calls('look', 'look'), text('ok')]
    const { deps } = createRig({
      play,
      tools: [look],
      policies: [repeating(1), budgeting({ callsPerStep: 1 })],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map((event) => event.status)).toEqual([
      'ok',
      'skipped',
      'ok',
      'skipped',
    ])
  })
})

describe('a model whose calls never fit (L11)', () => {
  const parameters = { type: 'object', required: ['n'] }

  test('is stopped after three steps in a row', async () => {
    const look = createTool('look', { parameters })
    const { deps, model } = createRig({
      play: ({ step }) => (step === 2 ? calls({ name: 'look', args: '{"n": ' }, '') : calls('look')),
      tools: [look],
    })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'invalid_calls' }, steps: 3 })
    expect(of(events, 'call.finished').map((event) => event.code)).toEqual([
      'args_schema',
      'args_json',
      'invalid_call',
      'args_schema',
    ])
    expect(look.ran).toEqual([])
    expect(model.requests).toHaveLength(3)
  })

  test('is not stopped when one of its calls fits in between', async () => {
    const look = createTool('look', { parameters, run: () => said('seen') })
    const fit = { name: 'look', args: { n: 1 } }
    const { deps } = createRig({
      play: [calls('look'), calls('look'), calls('look', fit), calls('look'), calls('look'), text('ok')],
      tools: [look],
    })
    expect(endOf(await collect(deps)).status).toBe('completed')
  })

  test('in cut answers never has one run, and is stopped as well', async () => {
    const look = createTool('look')
    const cut: Turn = [
      { type: 'call.start', index: 0, name: 'look' },
      { type: 'call.args', index: 0, text: '{"n": [1, ' },
      { type: 'finish', reason: 'length', usage: { input: 1, output: 1 } },
    ]
    const { deps } = createRig({ play: () => cut, tools: [look] })
    const events = await collect(deps, { state: fresh() })
    expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'invalid_calls' }, steps: 3 })
    expect(look.ran).toEqual([])
  })
})
