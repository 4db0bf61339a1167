import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type Mock, type MockSet, mock, type RecordedCall } from '#lib/spec/mock'
import { retrying } from '../policies.fixture'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  endOf,
  type Given,
  of,
  replay,
  said,
  text,
} from '../rig.fixture'

const fixed = (value: string): Mock => ({ answer: { kind: 'fixed', text: value, format: 'text' } })
const failing = (times?: number): Mock => ({
  ...fixed('at last'),
  failure: { code: 'busy', message: 'The shop is busy.', mayPass: true, ...(times && { times }) },
})
const recording = (runId = 'run_old'): Mock => ({ answer: { kind: 'recorded', runId } })

function rigWith(set: MockSet, given: Given, recorded: readonly RecordedCall[] = []) {
  const mocks = { set, recorded: (id: string) => (id === 'run_old' ? recorded : undefined) }
  return createRig({ ...given, deps: { ...given.deps, mocks } })
}

const read = (events: readonly RunEvent[]) =>
  of(events, 'call.finished').map(({ status, code, attempts, result }) => [
    status,
    code,
    attempts,
    result.text,
  ])

describe('issue 18.8 a mock', () => {
  test('answers in place of the body, and its call says so', async () => {
    const look = createTool('look')
    const { deps } = rigWith({ look: fixed('mocked') }, { play: [calls('look'), text('ok')], tools: [look] })
    const events = await collect(deps)
    expect(look.ran).toEqual([])
    expect(of(events, 'call.started')).toMatchObject([{ name: 'look', mock: 'fixed' }])
    expect(read(events)).toEqual([['ok', null, 1, 'mocked']])
    expect([...replay(events).calls.values()]).toMatchObject([{ mock: 'fixed' }])
  })

  test('leaves tools without a mock alone', async () => {
    const look = createTool('look')
    const { deps } = rigWith({ other: fixed('no') }, { play: [calls('look'), text('ok')], tools: [look] })
    const [started] = of(await collect(deps), 'call.started')
    expect(look.ran).toHaveLength(1)
    expect(started).not.toHaveProperty('mock')
  })

  test('cannot answer for a tool of the loop itself', async () => {
    const finish = createTool('finish', { node: 'agent', ends: true, run: () => said('the answer') })
    const { deps } = rigWith({ finish: fixed('no') }, { play: [calls('finish')], tools: [finish] })
    expect(endOf(await collect(deps)).answer).toBe('the answer')
  })

  test('returns JSON as JSON, and echoes the arguments of each of several parallel calls', async () => {
    const json: Mock = { answer: { kind: 'fixed', text: '{"n":1}', format: 'json' } }
    const said = [1, 2, 3].map((n) => ({ name: 'echo', args: { n } }))
    const { deps } = rigWith(
      { echo: { answer: { kind: 'echo' } }, json },
      {
        play: [calls(...said, 'json'), text('ok')],
        tools: [createTool('echo'), createTool('json')],
        policies: [
          createPolicy('execution', 'policies/0', {
            limit: (all) => void Object.assign(all, { strategy: 'parallel', concurrency: 4 }),
          }),
        ],
      },
    )
    const blocks = of(await collect(deps), 'call.finished').map(({ result }) => result.blocks)
    expect(blocks).toContainEqual([{ type: 'json', value: { n: 1 } }])
    expect(blocks.slice(0, 3)).toEqual([1, 2, 3].map((n) => [{ type: 'json', value: { n } }]))
  })

  test('that waits counts toward the time limit of its call', async () => {
    const slow = { ...fixed('late'), delayMs: 2_000 }
    const play = [calls('look'), text('ok')]
    const inTime = rigWith({ look: slow }, { play, tools: [createTool('look')] })
    const [finished] = of(await collect(inTime.deps), 'call.finished')
    expect(finished).toMatchObject({ status: 'ok', durationMs: 2_000 })
    const { deps } = rigWith({ look: slow }, { play, tools: [createTool('look', { timeoutSeconds: 1 })] })
    const events = await collect(deps)
    expect(of(events, 'call.started')).toMatchObject([{ mock: 'delayed' }])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'timeout', code: 'timeout' }])
  })

  test('S0-28 that fails the first tries is tried again by the retries of the agent, and then answers', async () => {
    const { deps } = rigWith(
      { look: failing(2) },
      { play: [calls('look'), text('ok')], tools: [createTool('look')], policies: [retrying(2, 10)] },
    )
    const events = await collect(deps)
    expect(read(events)).toEqual([['ok', null, 3, 'at last']])
    expect(of(events, 'call.started')).toMatchObject([{ mock: 'failing' }])
  })

  test('counts the tries of a whole run, also after a crash', async () => {
    const play = [calls('look'), calls('look'), text('ok')]
    const given = { play, tools: [createTool('look')] }
    const whole = await collect(rigWith({ look: failing(1) }, given).deps)
    expect(read(whole).map(([status]) => status)).toEqual(['error', 'ok'])
    const until = whole.findIndex(({ type }) => type === 'step.finished') + 1
    const { deps } = rigWith({ look: failing(1) }, given)
    const rest = await collect(deps, { state: replay(whole.slice(0, until)), resumed: 'crash' })
    expect(read(rest).map(([status]) => status)).toEqual(['ok'])
  })

  test('that always fails never answers, and a failure that cannot pass is not tried again', async () => {
    const given = { play: [calls('look'), text('ok')], tools: [createTool('look')] }
    const policies = [retrying(2, 10)]
    const always = rigWith({ look: failing() }, { ...given, policies })
    expect(read(await collect(always.deps))[0]?.slice(0, 3)).toEqual(['error', 'busy', 3])
    const final: Mock = { ...fixed(''), failure: { code: 'gone', message: 'Gone.', mayPass: false } }
    const { deps } = rigWith({ look: final }, { ...given, policies })
    expect(read(await collect(deps))).toEqual([['error', 'gone', 1, expect.stringContaining('Gone.')]])
  })

  test('changes no ruling: a person is still asked, and a denied call stays denied', async () => {
    const send = createTool('send', { risk: 'write', effect: 'effect' })
    const rule = createPolicy('risk', 'policies/0', {
      stages: ['risk'],
      rule: () => ({ verdict: 'confirm', reason: 'it writes' }),
    })
    const { deps } = rigWith(
      { send: fixed('sent') },
      { play: [calls('send'), text('ok')], tools: [send], policies: [rule] },
    )
    const events = await collect(deps)
    expect(of(events, 'approval.requested')).toMatchObject([{ tool: 'send' }])
    expect(of(events, 'call.started')).toEqual([])
    expect(send.ran).toEqual([])
  })

  test('takes known secrets out of its answer', async () => {
    const { deps } = rigWith(
      { look: fixed('the key is hunter2-hunter2') },
      {
        play: [calls('look'), text('ok')],
        tools: [createTool('look')],
        deps: { redact: (value) => value.replaceAll('hunter2-hunter2', '[secret]') },
      },
    )
    expect(JSON.stringify(await collect(deps))).not.toContain('hunter2')
  })
})

describe('issue 18.8 a mock with results of a recorded run', () => {
  const good = (n: number, value: string): RecordedCall => ({
    name: 'look',
    args: { n, unit: 'm' },
    result: { ok: true, blocks: [{ type: 'text', text: value }] },
  })
  const bad: RecordedCall = {
    name: 'look',
    args: { n: 3 },
    result: { ok: false, code: 'no_such_row', message: 'There is no row 3.' },
  }
  const recorded = [good(1, 'one'), good(2, 'two'), good(1, 'one again'), bad]
  const look = (args: JsonObject) => ({ name: 'look', args })
  const playing = (...said: ReturnType<typeof look>[]) => ({
    play: [calls(...said), text('ok')],
    tools: [createTool('look')],
  })

  test('gives equal calls their results in turn, in any order of keys, and repeats the last', async () => {
    const one = { n: 1, unit: 'm' }
    const given = playing(look(one), look({ unit: 'm', n: 1 }), look(one), look({ n: 2, unit: 'm' }))
    const { deps } = rigWith({ look: recording() }, given, recorded)
    const texts = read(await collect(deps)).map((each) => each[3])
    expect(texts).toEqual(['one', 'one again', 'one again', 'two'])
  })

  test('repeats a failure with its code', async () => {
    const { deps } = rigWith({ look: recording() }, playing(look({ n: 3 })), recorded)
    expect(read(await collect(deps))).toEqual([
      ['error', 'no_such_row', 1, expect.stringContaining('There is no row 3.')],
    ])
  })

  test('says what is missing when there is no equal call, no call of the tool, or no such run', async () => {
    const given = playing(look({ n: 9 }))
    const answer = async (set: MockSet, calls: readonly RecordedCall[]) =>
      read(await collect(rigWith(set, given, calls).deps))[0]
    expect(await answer({ look: recording() }, recorded)).toEqual([
      'error',
      'mock_no_match',
      1,
      expect.stringContaining('has 4 of look, but none with these arguments'),
    ])
    expect((await answer({ look: recording() }, []))?.[3]).toContain('has no finished call of look')
    expect((await answer({ look: recording('run_gone') }, []))?.[1]).toBe('mock_run_gone')
  })

  test('gives a call the same turn in a run that was resumed', async () => {
    const play = [calls(look({ n: 1, unit: 'm' })), calls(look({ n: 1, unit: 'm' })), text('ok')]
    const given = { play, tools: [createTool('look')] }
    const whole = await collect(rigWith({ look: recording() }, given, recorded).deps)
    const begun = whole.findLastIndex(({ type }) => type === 'call.started') + 1
    const { deps } = rigWith({ look: recording() }, given, recorded)
    const rest = await collect(deps, { state: replay(whole.slice(0, begun)), resumed: 'crash' })
    expect(read(rest).map((each) => each[3])).toEqual(['one again'])
  })
})

test('issue 18.8 no mock changes which calls begin, whatever it answers', async () => {
  const mocks = fc.record(
    {
      answer: fc.oneof(
        fc.record({
          kind: fc.constant('fixed' as const),
          text: fc.string(),
          format: fc.constant('text' as const),
        }),
        fc.constant({ kind: 'echo' as const }),
        fc.constant({ kind: 'recorded' as const, runId: 'run_old' }),
      ),
      delayMs: fc.integer({ min: 0, max: 50_000 }),
      failure: fc.record(
        {
          code: fc.constant('busy'),
          message: fc.string({ minLength: 1 }),
          mayPass: fc.boolean(),
          times: fc.integer({ min: 1, max: 3 }),
        },
        { requiredKeys: ['code', 'message', 'mayPass'] },
      ),
    },
    { requiredKeys: ['answer'] },
  )
  const given = {
    play: [calls('a', 'b', 'c'), calls('a'), text('ok')],
    tools: ['a', 'b', 'c'].map((name) => createTool(name)),
    policies: [retrying(1, 10)],
  }
  const begun = (events: readonly RunEvent[]) =>
    of(events, 'call.started').map(({ name }: EventOf<'call.started'>) => name)
  const plain = begun(await collect(createRig(given).deps))
  await fc.assert(
    fc.asyncProperty(mocks, async (each) => {
      expect(mock.safeParse(each).success).toBe(true)
      const events = await collect(rigWith({ a: each, c: each }, given).deps)
      expect(begun(events)).toEqual(plain)
      expect(of(events, 'call.finished')).toHaveLength(plain.length)
      expect(endOf(events).status).toBe('completed')
    }),
    { numRuns: 10 },
  )
})
