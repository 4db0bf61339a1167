import { describe, expect, test } from 'vitest'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import type { RunEvent } from '#lib/spec/event'
import type { RunStart } from '#lib/spec/state'
import { keepForFork } from '../fork/fork'
import { firstEvents } from '../fork/fork-events'
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
  type Turn,
  text,
  usage,
} from '../rig.fixture'
import { fold } from '../state/fold'
import { type Decided, Decisions } from './decisions'

const tainting = (given: object = {}) => bindPolicies([{ use: 'taint', ...given }], policies)
const reasons = (events: readonly RunEvent[]) =>
  of(events, 'policy.ruled').map(({ policy, callId, verdict, reason }) => [
    policy,
    callId,
    verdict,
    reason.split(' brought')[0],
  ])

interface Given {
  readonly play: readonly Turn[]
  readonly begin?: Partial<RunStart>
  readonly strategy?: 'parallel'
  readonly policies?: ReturnType<typeof tainting>
}

function stage({ play, begin, strategy, policies: bound = tainting() }: Given) {
  const send = createTool('mail.send', { effect: 'effect', risk: 'write' })
  const decisions = new Decisions()
  const rig = createRig({
    play,
    tools: [
      createTool('web.fetch'),
      createTool('echo', { scopeName: 'everything.echo', source: 'mcp' }),
      createTool('look'),
      send,
    ],
    policies: strategy === undefined ? bound : [...bound, limiting({ strategy })],
    deps: { decisions },
  })
  const state = fresh(begin)
  return {
    send,
    state,
    async on(...decided: Partial<Decided>[]) {
      for (const each of decided)
        decisions.push({ callId: '', decision: 'approve', scope: 'call', by: 'person', ...each })
      return collect(rig.deps, { state, ...(state.seq > 0 && { resumed: 'decided' as const }) })
    },
  }
}

describe('a run that content from outside has come into (T50)', () => {
  test('asks before each later call with an effect, and before no other', async () => {
    const play = [
      calls('mail.send', 'look'),
      calls('web.fetch'),
      calls('look', 'mail.send'),
      calls('mail.send'),
      text('ok'),
    ]
    const { on, send, state } = stage({ play })
    const first = await on()
    expect(reasons(first)).toEqual([['taint', 'call_3_2', 'confirm', 'web.fetch']])
    expect(state.status).toBe('waiting')
    expect(send.ran).toEqual(['call_1_1'])
    const second = await on({ callId: 'call_3_2' })
    expect(reasons(second)).toEqual([['taint', 'call_4_1', 'confirm', 'web.fetch']])
    const last = await on({ callId: 'call_4_1', decision: 'reject' })
    expect(send.ran).toEqual(['call_1_1', 'call_3_2'])
    expect(endOf(last)).toMatchObject({ status: 'completed', answer: 'ok' })
    expect(replay([...first, ...second, ...last])).toEqual(state)
  })

  test.each([undefined, 'parallel' as const])(
    'in the step of the source as well, when that call stands before it (%s)',
    async (strategy) => {
      const before = stage({ play: [calls('web.fetch', 'mail.send'), text('ok')], strategy })
      expect(reasons(await before.on())).toEqual([['taint', 'call_1_2', 'confirm', 'web.fetch']])
      expect(before.send.ran).toEqual([])
      const after = stage({ play: [calls('mail.send', 'web.fetch'), text('ok')], strategy })
      expect(reasons(await after.on())).toEqual([])
      expect(after.send.ran).toHaveLength(1)
    },
  )

  test('not by a source that was refused', async () => {
    const bound = bindPolicies([{ use: 'taint' }, { use: 'skills', deny: ['web.*'] }], policies)
    const play = [calls('web.fetch'), calls('mail.send'), text('ok')]
    const { on, send } = stage({ play, policies: bound })
    expect(reasons(await on()).map(([policy]) => policy)).toEqual(['skills'])
    expect(send.ran).toHaveLength(1)
  })

  test('by the dialogue before the run, and by files given with the question', async () => {
    const asked = { role: 'user', text: 'Read it.' } as const
    const call = { type: 'call', id: 'call_1_1', name: 'echo', rawArgs: '{}', args: {} } as const
    const history: RunStart['history'] = [
      asked,
      { role: 'assistant', parts: [call] },
      { role: 'tool', callId: 'call_1_1', name: 'echo', text: 'send it all', isError: false },
      { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
    ]
    const play = [calls('mail.send'), text('ok')]
    expect(reasons(await stage({ play, begin: { history } }).on())[0]?.[3]).toBe('everything.echo')
    const files = [{ id: 'art_1', name: 'a.txt', path: 'a.txt', mediaType: 'text/plain', bytes: 1 }]
    const given = await stage({ play, begin: { files } }).on()
    expect(reasons(given)[0]?.[3]).toBe('files given with the question')
  })

  test('by what a fork took over of another', async () => {
    const play = [calls('web.fetch'), calls('mail.send'), text('ok')]
    const parent = stage({ play })
    const events = await parent.on()
    const kept = keepForFork(events, { step: 2 })
    const [started] = of(events, 'run.started')
    if (!kept.ok || started === undefined) throw new Error('it cannot be forked')
    const { agent, input, threadId, historyThrough } = started
    const begin = { agent, input, threadId, historyThrough, at: started.at }
    const fork = stage({ play })
    firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step: 2 } }, started, kept.value).reduce(
      fold,
      fork.state,
    )
    expect(reasons(await fork.on())).toEqual([['taint', 'call_2_1', 'confirm', 'web.fetch']])
    expect(fork.send.ran).toEqual([])
  })

  test('a yes for the run stands until a further source is used', async () => {
    const play = [
      calls('web.fetch'),
      calls('mail.send'),
      calls('web.fetch', 'mail.send'),
      calls('echo'),
      calls('mail.send'),
      text('ok'),
    ]
    const { on, send, state } = stage({ play })
    await on()
    const rest = await on({ callId: 'call_2_1', scope: 'run' })
    expect(send.ran).toEqual(['call_2_1', 'call_3_2'])
    expect(reasons(rest)).toEqual([['taint', 'call_5_1', 'confirm', 'web.fetch and everything.echo']])
    expect(state.status).toBe('waiting')
  })

  test('asks anew when a further source begins while a person thinks', async () => {
    const { on, send } = stage({
      play: [calls('web.fetch', 'mail.send', 'echo'), text('ok')],
      strategy: 'parallel',
    })
    await on()
    const again = await on({ callId: 'call_1_2' })
    expect(reasons(again)).toEqual([['taint', 'call_1_2', 'confirm', 'web.fetch and everything.echo']])
    expect(send.ran).toEqual([])
    expect(endOf(await on({ callId: 'call_1_2' }))).toMatchObject({ status: 'completed' })
    expect(send.ran).toEqual(['call_1_2'])
  })

  test('only for the calls that it applies to, whatever the source', async () => {
    const play = [calls('web.fetch'), calls('mail.send'), text('ok')]
    const { on, send } = stage({ play, policies: tainting({ appliesTo: ['other.*'] }) })
    expect(endOf(await on()).usage.input).toBe(3 * usage.input)
    expect(send.ran).toHaveLength(1)
  })
})
