import { describe, expect, test } from 'vitest'
import { keepForFork } from '../fork/fork'
import { firstEvents } from '../fork/fork-events'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  fresh,
  limiting,
  of,
  replay,
  said,
  type ToolStandIn,
  text,
} from '../rig.fixture'
import { Decisions } from './decisions'

/** Answers with the number of its calls so far. */
function counting(name: string, given: Parameters<typeof createTool>[1] = {}): ToolStandIn {
  const tool: ToolStandIn = createTool(name, { cache: true, ...given, run: () => said(`${tool.ran.length}`) })
  return tool
}

const one = { name: 'look', args: { a: 1, b: [2] } }
const same = { name: 'look', args: { b: [2], a: 1 } }
const other = { name: 'look', args: { a: 2 } }

describe('the cache of a run (S0-27)', () => {
  test('an equal call is answered from the first, and says so; any other runs', async () => {
    const look = counting('look')
    const { deps, model } = createRig({
      play: [calls(one, same, other), calls(one), text('ok')],
      tools: [look],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_1_3'])
    const given = of(events, 'call.finished').map(({ result, cached, attempts }) => [
      result.text,
      cached,
      attempts,
    ])
    expect(given).toEqual([
      ['1', undefined, 1],
      ['1', true, 0],
      ['2', undefined, 1],
      ['1', true, 0],
    ])
    expect(of(events, 'call.started')).toHaveLength(2)
    expect(model.requests[1]?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { text: '1' },
      { text: '1' },
      { text: '2' },
    ])
    expect(replay(events).calls.get('call_1_2')?.cached).toBe(true)
  })

  test('an equal call beside it waits for the first instead of running as well', async () => {
    const look = counting('look')
    const { deps } = createRig({
      play: [calls(one, same, one), text('ok')],
      tools: [look],
      policies: [limiting({ strategy: 'parallel', concurrency: 8 })],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1'])
    expect(of(events, 'call.finished').map(({ cached }) => cached)).toEqual([undefined, true, true])
  })

  test('what may change something makes all of it old', async () => {
    const look = counting('look')
    const write = createTool('write', { effect: 'effect', cache: true })
    const { deps } = createRig({
      play: [calls(one, 'write', one, 'write'), text('ok')],
      tools: [look, write],
    })
    await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_1_3'])
    expect(write.ran).toEqual(['call_1_2', 'call_1_4'])
  })

  test('failures are asked again, and so is all of a tool that is not to be cached', async () => {
    const fails: ToolStandIn = createTool('look', { cache: true, run: () => ({ ok: false, message: 'no' }) })
    const plain = createTool('plain')
    const { deps } = createRig({
      play: [calls(one, one, 'plain', 'plain'), text('ok')],
      tools: [fails, plain],
    })
    await collect(deps)
    expect(fails.ran).toHaveLength(2)
    expect(plain.ran).toHaveLength(2)
  })

  test('what ran with the arguments of a person answers no call of the model', async () => {
    const look = counting('look')
    const decisions = new Decisions()
    const asking = createPolicy('approval', 'policies/2', {
      stages: ['approval'],
      rule: () => ({ verdict: 'confirm', reason: 'a person decides' }),
    })
    const { deps } = createRig({
      play: [calls(one), calls(other), text('ok')],
      tools: [look],
      policies: [asking],
      deps: { decisions },
    })
    const state = fresh()
    await collect(deps, { state })
    decisions.push({
      callId: 'call_1_1',
      decision: 'approve',
      scope: 'run',
      by: 'person',
      args: { ...other.args },
    })
    const rest = await collect(deps, { state, resumed: 'decided' })
    expect(of(rest, 'call.started').map(({ callId, args }) => [callId, args])).toEqual([
      ['call_1_1', other.args],
      ['call_2_1', other.args],
    ])
    expect(look.ran).toEqual(['call_1_1', 'call_2_1'])
  })

  test('what was read while something changed is read again', async () => {
    const slow: ToolStandIn = createTool('look', {
      cache: true,
      async run() {
        await clock.sleep(100, new AbortController().signal)
        return said('old')
      },
    })
    const { deps, clock } = createRig({
      play: [calls(one, 'write'), calls(one), text('ok')],
      tools: [slow, createTool('write', { effect: 'effect' })],
      policies: [limiting({ strategy: 'parallel', concurrency: 8 })],
    })
    await collect(deps)
    expect(slow.ran).toEqual(['call_1_1', 'call_2_1'])
  })

  test('what was read before a change is old in a run that is taken up again as well', async () => {
    const look = counting('look')
    const write = createTool('write', { effect: 'effect' })
    const given = { play: [calls(one), calls('write'), calls(one), text('ok')], tools: [look, write] }
    const events = await collect(createRig(given).deps)
    const cut = events.slice(
      0,
      events.findIndex((each) => each.type === 'step.finished' && each.step === 2) + 1,
    )
    const rest = await collect(createRig(given).deps, { state: replay(cut) })
    expect(of(rest, 'call.started').map(({ callId }) => callId)).toEqual(['call_3_1'])
  })

  test('holds in a run that is taken up again', async () => {
    const look = counting('look')
    const given = { play: [calls(one), calls(one), text('ok')], tools: [look] }
    const events = await collect(createRig(given).deps)
    const cut = events.slice(0, events.findIndex(({ type }) => type === 'step.finished') + 1)
    const rest = await collect(createRig(given).deps, { state: replay(cut) })
    expect(of(rest, 'call.finished')).toMatchObject([{ cached: true, result: { text: '1' } }])
    expect(look.ran).toEqual(['call_1_1'])
  })

  test('what may change something makes it old as well when it is taken up again', async () => {
    let rig: ReturnType<typeof createRig>
    const look = counting('look')
    const put = createTool('put', {
      effect: 'idempotent',
      async run() {
        await rig.clock.sleep(1_000, new AbortController().signal)
        return said('put')
      },
    })
    const given = {
      play: [calls('put', one), calls(one), text('ok')],
      tools: [put, look],
      policies: [limiting({ strategy: 'parallel', concurrency: 8 })],
    }
    rig = createRig(given)
    const events = await collect(rig.deps)
    const begun = events.findIndex(({ type }) => type === 'call.started')
    rig = createRig(given)
    const rest = await collect(rig.deps, { state: replay(events.slice(0, begun + 1)) })
    expect(of(rest, 'call.finished').map(({ name, cached }) => [name, cached])).toEqual([
      ['look', undefined],
      ['put', undefined],
      ['look', undefined],
    ])
  })

  test('what a person made of the arguments stands in a result from there too', async () => {
    const look = counting('look')
    const decisions = new Decisions()
    const asking = createPolicy('approval', 'policies/5', {
      stages: ['approval'],
      rule: (_, { moment, ...more }) =>
        moment === 'call' && 'args' in more && more.args.a === 2
          ? { verdict: 'confirm', reason: 'ask' }
          : undefined,
    })
    const given = { play: [calls(one), calls(other), text('ok')], tools: [look], policies: [asking] }
    const { deps } = createRig({ ...given, deps: { decisions } })
    const state = fresh()
    await collect(deps, { state })
    decisions.push({ callId: 'call_2_1', decision: 'approve', scope: 'call', by: 'person', args: one.args })
    const rest = await collect(deps, { state, resumed: 'decided' })
    expect(look.ran).toEqual(['call_1_1'])
    expect(of(rest, 'call.finished')[0]).toMatchObject({
      cached: true,
      result: { text: `A person changed the arguments of this call before it ran, to {"a":1,"b":[2]}\n\n1` },
    })
  })

  test('a fork asks again: its files are those of today', async () => {
    const look = counting('look')
    const given = { play: [calls(one), calls(one), text('ok')], tools: [look] }
    const events = await collect(createRig(given).deps)
    const kept = keepForFork(events, { step: 2 })
    const [started] = of(events, 'run.started')
    if (!kept.ok || started === undefined) throw new Error('it cannot be forked')
    const { agent, input, historyThrough, at } = started
    const begin = { agent, input, threadId: 'thread_2', historyThrough, at }
    const first = firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step: 2 } }, started, kept.value)
    await collect(createRig(given).deps, { state: replay(first) })
    expect(look.ran).toEqual(['call_1_1', 'call_2_1'])
  })
})
