import { describe, expect, test } from 'vitest'
import { keepForFork } from '../fork/fork'
import { firstEvents } from '../fork/fork-events'
import { request } from '../request/rerequest'
import { calls, collect, createTool, endOf, fresh, of, replay, said, text } from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { closeAfterEach, stage } from './hooks.fixture'

closeAfterEach()

const ann = { name: 'look', args: { to: 'ann' } }
const bob = { name: 'look', args: { to: 'bob' } }

describe('hooks beside the cache', () => {
  const look = () => createTool('look', { cache: true, run: ({ to }) => said(`saw ${String(to)}`) })
  const toBob = 'A hook changed the arguments of this call before it ran, to {"to":"bob"}\n\nsaw bob'

  test('what a hook made of one call is not told of an equal one that it left alone', async () => {
    const tool = look()
    const rig = await stage({
      hooks: [{ on: 'pre_acting' }],
      answer: (_, index) => (index === 0 ? { args: { to: 'bob' } } : {}),
      play: [calls(ann, bob), text('ok')],
      tools: [tool],
    })
    const events = await collect(rig.deps)
    expect(of(events, 'call.finished').map(({ result }) => result.text)).toEqual([toBob, 'saw bob'])
  })

  test('what it made of a call is told of that one, also when an equal one answers it', async () => {
    const tool = look()
    const rig = await stage({
      hooks: [{ on: 'pre_acting' }],
      answer: (_, index) => (index === 1 ? { args: { to: 'bob' } } : {}),
      play: [calls(bob, ann), text('ok')],
      tools: [tool],
    })
    const events = await collect(rig.deps)
    expect(of(events, 'call.finished').map(({ result, cached }) => [result.text, cached])).toEqual([
      ['saw bob', undefined],
      [toBob, true],
    ])
    expect(tool.ran).toHaveLength(1)
  })
})

describe('hooks beside the tool that ends a run', () => {
  const finish = () => createTool('finish', { ends: true, run: ({ answer }) => said(String(answer)) })
  const ending = calls('look', { name: 'finish', args: { answer: 'a secret' } })

  test.each([{ decision: 'deny', reason: 'no' }, { text: 'nothing' }])(
    'an answer that is taken back stands nowhere in the thread: %j',
    async (word) => {
      const rig = await stage({
        hooks: [{ on: 'post_reply' }],
        answer: () => word,
        play: [ending],
        tools: [createTool('look'), finish()],
      })
      const state = fresh()
      await collect(rig.deps, { state })
      const messages = messagesOf(state)
      expect(JSON.stringify(messages)).not.toContain('secret')
      expect(messages.slice(0, 3)).toMatchObject([
        { role: 'user' },
        { role: 'assistant', parts: [{ name: 'look' }] },
        { role: 'tool', name: 'look' },
      ])
    },
  )
})

describe('hooks beside a fork', () => {
  const given = (denies: boolean) => ({
    hooks: [{ on: 'pre_reasoning' as const }, { on: 'post_reasoning' as const }],
    answer: ({ on }: { [key: string]: unknown }) =>
      on === 'pre_reasoning' ? { text: 'Be kind.' } : denies ? { decision: 'deny', reason: 'no' } : {},
    play: [calls('look'), text('ok')],
    tools: [createTool('look')],
  })
  const forkOf = async (denies: boolean, edit: Parameters<typeof keepForFork>[1]['edit']) => {
    const events = await collect((await stage(given(denies))).deps)
    const kept = keepForFork(events, { step: 1, ...(edit && { edit }) })
    const [started] = of(events, 'run.started')
    if (!kept.ok || started === undefined) throw new Error('it cannot be forked')
    const { agent, input, historyThrough, at } = started
    const begin = { agent, input, threadId: 'thread_2', historyThrough, at }
    return replay(firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step: 1 } }, started, kept.value))
  }

  test.each([
    { callId: 'call_1_1', args: { a: 1 } },
    { reply: [{ type: 'text' as const, text: 'so' }] },
    { callId: 'call_1_1', result: 'mine' },
  ])('its step keeps the request that it was asked by: %j', async (edit) => {
    const state = await forkOf(false, edit)
    const { deps } = await stage(given(false))
    expect(deps.hash(request(state, deps, 1)?.body ?? '')).toBe(state.steps[0]?.request?.hash)
  })

  test('a no to the answer whose call a person answers is asked for anew', async () => {
    const state = await forkOf(true, { callId: 'call_1_1', result: 'mine' })
    expect(state.halted).toBeUndefined()
    const rest = await collect((await stage(given(true))).deps, { state })
    expect(of(rest, 'hook.called')).toMatchObject([{ on: 'post_reasoning', decision: 'deny' }])
    expect(endOf(rest)).toMatchObject({ status: 'failed', error: { code: 'hook_denied' } })
  })
})
