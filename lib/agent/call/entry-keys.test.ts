import { describe, expect, test } from 'vitest'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { json, type ToolOutput } from '#lib/spec/tool'
import { retrying } from '../policies.fixture'
import {
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  said,
  text,
} from '../rig.fixture'

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

describe('S4-14 S4-42 a tool whose result ends the run', () => {
  const look = (output: ToolOutput) => createTool('look', { ends: true, run: () => output })

  test('gives the whole result as the answer, and the model is not asked again', async () => {
    const { deps, model } = createRig({ play: [calls('look')], tools: [look(said('42'))] })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: '42', error: null })
    expect(endOf(events)).not.toHaveProperty('output')
    expect(model.requests).toHaveLength(1)
  })

  test('ends nothing when it failed', async () => {
    const failed: ToolOutput = { ok: false, message: 'no' }
    const { deps } = createRig({ play: [calls('look'), text('so be it')], tools: [look(failed)] })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: 'so be it' })
  })

  test('gives the output of an agent that has a schema', async () => {
    const { deps } = createRig({ play: [calls('look')], tools: [look(json({ n: 1 }))] })
    const end = endOf(await collect({ ...deps, output: schema }))
    expect(end).toMatchObject({ status: 'completed', output: { n: 1 } })
  })

  test('ends nothing when its result does not fit the schema of the agent', async () => {
    const play = [calls('look'), text('{"n":2}')]
    const { deps } = createRig({ play, tools: [look(json({ n: 'one' }))] })
    const events = await collect({ ...deps, output: schema })
    expect(of(events, 'call.finished')[0]).not.toHaveProperty('final')
    expect(endOf(events)).toMatchObject({ status: 'completed', output: { n: 2 } })
  })
})

describe('S4-14 the retries of an entry', () => {
  const busy: ToolOutput = { ok: false, message: 'busy', code: 'busy', retryable: true }
  const retry = { max: 1, backoffMs: 10 }

  test('take the place of the retry policies', async () => {
    const look = createTool('look', { retry, run: () => busy })
    const { deps } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [retrying(5, 500)],
    })
    expect(of(await collect(deps), 'call.finished')).toMatchObject([{ attempts: 2, status: 'error' }])
  })

  test('never repeat a call that may have had an effect', async () => {
    const send = createTool('send', { retry, effect: 'effect', risk: 'write', run: () => busy })
    const { deps } = createRig({ play: [calls('send'), text('ok')], tools: [send] })
    expect(of(await collect(deps), 'call.finished')).toMatchObject([{ attempts: 1 }])
  })
})

describe('S4-14 a renamed tool', () => {
  const fetchTool = () => createTool('reader', { scopeName: 'web.fetch' })

  test('is on record with its own name, in the event of its start and in the counts of the run', async () => {
    const { deps } = createRig({
      play: [calls('reader', 'look'), text('ok')],
      tools: [fetchTool(), createTool('look')],
    })
    const events = await collect(deps)
    expect(of(events, 'call.started').map(({ name, scopeName }) => [name, scopeName])).toEqual([
      ['reader', 'web.fetch'],
      ['look', undefined],
    ])
    expect(endOf(events).toolCalls).toEqual([
      { name: 'look', count: 1 },
      { name: 'reader', count: 1, scopeName: 'web.fetch' },
    ])
    expect(replay(events).calls.get('call_1_1')?.scopeName).toBe('web.fetch')
  })

  test('does not escape a policy over its own name, in this run and in later ones', async () => {
    const send = createTool('send', { effect: 'effect', risk: 'write' })
    const taint = bindPolicies([{ use: 'taint' }], policies)
    const { deps } = createRig({
      play: [calls('reader'), calls('send')],
      tools: [fetchTool(), send],
      policies: taint,
    })
    expect(of(await collect(deps), 'approval.requested')).toMatchObject([{ tool: 'send' }])
    const later = createRig({
      play: [calls('send')],
      // The name now belongs to another tool.
      tools: [createTool('reader'), send],
      policies: taint,
    })
    const earlier = { tools: ['web.fetch'], files: false }
    expect(of(await collect(later.deps, { state: fresh({ earlier }) }), 'approval.requested')).toMatchObject([
      { tool: 'send' },
    ])
  })

  test('is chosen by a policy that names it by its own name', async () => {
    const { deps, model } = createRig({
      play: [calls('reader'), text('ok')],
      tools: [fetchTool()],
      policies: [limiting({ toolChoice: { tool: 'web.fetch' } })],
    })
    await collect(deps)
    expect(model.requests[0]?.toolChoice).toEqual({ tool: 'reader' })
  })
})

test('S4-13 a preset argument that the model sends is ignored, and a warning names it without its value', async () => {
  const look = createTool('look', { preset: ['database'] })
  const args = { database: 'other', n: 1 }
  const { deps } = createRig({ play: [calls({ name: 'look', args }), text('ok')], tools: [look] })
  const events = await collect(deps)
  expect(of(events, 'protocol.warned')).toMatchObject([
    { step: 1, warnings: ['A call of look set database, which is preset; what the model sent was ignored.'] },
  ])
  expect(of(events, 'call.started')).toMatchObject([{ args: { n: 1 } }])
  const plain = createRig({ play: [calls({ name: 'look', args: { n: 1 } }), text('ok')], tools: [look] })
  expect(of(await collect(plain.deps), 'protocol.warned')).toEqual([])
})
