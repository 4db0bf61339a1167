import { describe, expect, test } from 'vitest'
import type { InputQuestion } from '#lib/spec/input'
import type { Strategy } from '#lib/spec/policy'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  said,
  text,
  typesOf,
  unpaired,
} from '../rig.fixture'
import { run } from '../run'
import { Decisions } from './decisions'
import { answer, asking, askingAtWork, begin, question, repliesTo } from './questions.fixture'

const twoTurns = [calls('ask'), text('Thank you.')]
const resultOf = (state: ReturnType<typeof fresh>, callId = 'call_1_1') =>
  state.calls.get(callId)?.result?.text

describe('a body that ends with a question', () => {
  test('rests until the reply and runs again with it', async () => {
    const ask = asking('ask', [question('city')], { state: { page: 2 } })
    const run = begin({ play: twoTurns, tools: [ask] })
    const first = await run.run()
    expect(typesOf(first).slice(-2)).toEqual(['call.started', 'input.requested'])
    expect([run.state.status, run.state.waiting]).toEqual(['waiting', 1])
    const rest = await run.reply('call_1_1', 'city', answer('Lisbon'))
    expect(typesOf(rest).slice(0, 3)).toEqual(['input.given', 'call.continued', 'call.finished'])
    expect(resultOf(run.state)).toBe(
      '{"state":{"page":2},"replies":{"city":{"action":"answer","text":"Lisbon"}}}',
    )
    expect([ask.ran.length, endOf(rest).status, run.state.waiting]).toEqual([2, 'completed', 0])
    expect(unpaired(run.state.messages)).toEqual([])
    expect(endOf(rest).toolCalls).toEqual([{ name: 'ask', count: 1 }])
  })

  test.each<'read' | 'effect'>(['read', 'effect'])('runs again though its class is %s', async (effect) => {
    const ask = asking('ask', [question('city')], { effect })
    const run = begin({ play: twoTurns, tools: [ask] })
    await run.run()
    await run.reply('call_1_1', 'city')
    expect([ask.ran.length, run.state.calls.get('call_1_1')?.status]).toEqual([2, 'ok'])
  })

  test('of class effect never runs again once it has begun with the replies', async () => {
    let begun = 0
    const ask = createTool('ask', {
      effect: 'effect',
      run: (_, { answered }) => {
        begun += 1
        return answered === undefined ? { ok: 'asks', questions: [question('city')] } : new Promise(() => {})
      },
    })
    const first = begin({ play: twoTurns, tools: [ask] })
    const events = await first.run()
    first.decisions.reply({ callId: 'call_1_1', inputId: 'city', by: 'person', ...answer('yes') })
    const killed = run(first.state, first.deps, new AbortController().signal, 'decided')
    for (let next = await killed.next(); !next.done; next = await killed.next()) {
      events.push(next.value)
      if (next.value.type === 'call.continued') break
    }
    // The body begins, and the process ends.
    void killed.next()
    await new Promise((resolve) => setImmediate(resolve))
    const state = replay(events)
    const { deps } = createRig({ play: twoTurns, tools: [ask] })
    await collect(deps, { state })
    expect([begun, state.calls.get('call_1_1')?.status]).toEqual([2, 'unknown'])
  })

  test('has the step wait for all its questions, and gets the replies by their ids', async () => {
    const run = begin({ play: twoTurns, tools: [asking('ask', [question('a'), question('b')])] })
    await run.run()
    expect(typesOf(await run.reply('call_1_1', 'b', { action: 'decline' }))).toEqual(['input.given'])
    await run.reply('call_1_1', 'a', answer('A'))
    expect(resultOf(run.state)).toBe(
      '{"replies":{"a":{"action":"answer","text":"A"},"b":{"action":"decline"}}}',
    )
  })

  test('may ask once more under the same id, and no reply counts for two questions', async () => {
    const ask = createTool('ask', {
      run: (_, { answered }) =>
        answered?.state === 'second'
          ? said(answered.replies.name?.text ?? '')
          : { ok: 'asks', questions: [question('name')], state: answered === undefined ? 'first' : 'second' },
    })
    const run = begin({ play: twoTurns, tools: [ask] })
    await run.run()
    const second = await run.reply('call_1_1', 'name', answer('Ada'))
    expect(of(second, 'input.requested')).toMatchObject([
      { inputId: 'name~2', key: 'name', round: { number: 2, of: 1 } },
    ])
    await run.reply('call_1_1', 'name~2', answer('Lovelace'))
    expect(resultOf(run.state)).toBe('Lovelace')
  })

  test('waits in no budget', async () => {
    const run = begin({
      play: twoTurns,
      tools: [asking('ask', [question('city')])],
      policies: [
        limiting({ budget: { tokens: 1e9, usd: Infinity, calls: 9, callsPerStep: 9, seconds: 5 } as never }),
      ],
    })
    await run.run()
    await run.deps.clock.sleep(60_000, new AbortController().signal)
    const rest = await run.reply('call_1_1', 'city')
    expect(endOf(rest).status).toBe('completed')
    expect(run.state.waitedMs).toBeGreaterThanOrEqual(60_000)
  })

  test('a reply to a question that is not open is ignored', async () => {
    const run = begin({ play: twoTurns, tools: [asking('ask', [question('city')])] })
    await run.run()
    expect(await run.reply('call_1_1', 'ghost')).toEqual([])
    expect(await run.reply('ghost', 'city')).toEqual([])
    expect(run.state.status).toBe('waiting')
  })

  test.each<Strategy>(['sequential', 'parallel', 'auto'])(
    'all calls of a step ask (%s)',
    async (strategy) => {
      const tools = [asking('ask', [question('x')]), createTool('look')]
      const run = begin({
        play: [calls('ask', 'look', 'ask'), text('Done.')],
        tools,
        policies: [limiting({ strategy, concurrency: 4 })],
      })
      let events = await run.run()
      for (let round = 0; run.state.finishedAt === undefined && round < 5; round++) {
        for (const each of repliesTo(run.state)) run.decisions.reply(each)
        events = await run.run()
      }
      expect(endOf(events).status).toBe('completed')
      expect([...run.state.calls.values()].map(({ status }) => status)).toEqual(['ok', 'ok', 'ok'])
      expect(tools.map(({ ran }) => ran.length)).toEqual([4, 1])
    },
  )

  test('an approval and a question of one step wait side by side', async () => {
    const approval = createPolicy('approval', 'policies/2', {
      appliesTo: ['send'],
      stages: ['approval'],
      rule: () => ({ verdict: 'confirm', reason: 'a person decides' }),
    })
    const run = begin({
      play: [calls('send', 'ask'), text('Done.')],
      tools: [createTool('send', { effect: 'effect' }), asking('ask', [question('x')])],
      policies: [
        {
          ...approval,
          appliesTo: undefined as never,
          rule: (stage, about) => (about.tool.name === 'send' ? approval.rule(stage, about) : undefined),
        },
        limiting({ strategy: 'parallel', concurrency: 4 }),
      ],
    })
    await run.run()
    expect([run.state.waiting, run.state.status]).toEqual([2, 'waiting'])
    expect(typesOf(await run.reply('call_1_2', 'x'))).toContain('call.finished')
    expect([run.state.waiting, run.state.status]).toEqual([1, 'waiting'])
    run.decisions.push({ callId: 'call_1_1', decision: 'approve', scope: 'call', by: 'person' })
    expect(endOf(await run.run()).status).toBe('completed')
  })

  test('a cancel closes the question, and the call has its one result', async () => {
    const run = begin({ play: twoTurns, tools: [asking('ask', [question('city')])] })
    await run.run()
    const controller = new AbortController()
    controller.abort('cancel')
    const events = await collect(run.deps, { state: run.state, controller, resumed: 'decided' })
    expect(of(events, 'input.given')).toMatchObject([{ action: 'cancel', by: 'cancel' }])
    expect([run.state.calls.get('call_1_1')?.status, endOf(events).status]).toEqual([
      'interrupted',
      'cancelled',
    ])
    expect(run.state.waiting).toBe(0)
  })

  test('questions that cannot be read end the call with an error', async () => {
    const junk = [[], [{ inputId: '' }], [question('a'), question('a')], 'what?']
    for (const questions of junk) {
      const ask = createTool('ask', { run: () => ({ ok: 'asks', questions }) as never })
      const run = begin({ play: twoTurns, tools: [ask] })
      expect(endOf(await run.run()).status).toBe('completed')
      expect(run.state.calls.get('call_1_1')).toMatchObject({ status: 'error', code: 'bad_result' })
    }
  })

  test('a state with a secret is not stored, and nobody is asked', async () => {
    const redact = (value: string) => value.replaceAll('hunter2', '[secret]')
    const ask = asking('ask', [question('a')], { state: { token: 'hunter2' } })
    const run = begin({ play: twoTurns, tools: [ask], deps: { redact } })
    const events = await run.run()
    expect(of(events, 'input.requested')).toEqual([])
    expect(run.state.calls.get('call_1_1')).toMatchObject({ status: 'error', code: 'not_asked' })
    expect(JSON.stringify(events)).not.toContain('hunter2')
  })

  test('known secrets are in neither the question nor the reply', async () => {
    const redact = (value: string) => value.replaceAll('hunter2', '[secret]')
    const ask = asking('ask', [question('a', { question: 'Is it hunter2?', choices: ['hunter2'] })])
    const run = begin({ play: twoTurns, tools: [ask], deps: { redact } })
    const events = [...(await run.run()), ...(await run.reply('call_1_1', 'a', answer('hunter2')))]
    expect(JSON.stringify(events)).not.toContain('hunter2')
    expect(of(events, 'input.given')).toMatchObject([{ text: '[secret]' }])
  })

  test('in the background it asks while the model goes on', async () => {
    const ask = asking('ask', [question('x')], { background: true })
    const decisions = new Decisions()
    const { deps } = createRig({
      play: [calls('ask'), text('I go on.'), text('Now I know.')],
      tools: [ask],
      deps: { decisions },
    })
    const state = fresh()
    const events = await collect(deps, {
      state,
      on: (event) => {
        if (event.type === 'input.requested')
          decisions.reply({ callId: event.callId, inputId: event.inputId, by: 'person', ...answer('B') })
      },
    })
    expect(endOf(events).status).toBe('completed')
    expect(ask.ran.length).toBe(2)
    expect(resultOf(state)).toContain('"text":"B"')
    expect(state.waiting).toBe(0)
  })
})

describe('a question that must not be put to a person', () => {
  const secret = question('login', {
    from: 'server',
    server: 'files',
    schema: { type: 'object', properties: { user: { type: 'string' }, apiKey: { type: 'string' } } },
  })
  const local = question('open', { from: 'server', server: 'files', url: 'javascript:alert(1)' })

  test.each<[string, InputQuestion, RegExp]>([
    ['a field for a secret', secret, /The server files asked for "apiKey"/],
    ['an address that is no web page', local, /not http or https/],
  ])('counts as declined: %s', async (_, refused, why) => {
    for (const tool of [asking('ask', [refused]), askingAtWork('ask', [refused])]) {
      const run = begin({ play: twoTurns, tools: [tool] })
      const events = await run.run()
      expect(of(events, 'input.requested')[0]?.refused).toMatch(why)
      expect(of(events, 'input.given')).toEqual([])
      expect([endOf(events).status, run.state.waitedMs]).toEqual(['completed', 0])
      expect(resultOf(run.state)).toContain('"action":"decline"')
    }
  })
})

describe('a body that asks while it is at work', () => {
  test('goes on with each reply, and the wait is not its own time', async () => {
    const tool = askingAtWork('ask', [question('a'), question('b')])
    const run = begin({ play: twoTurns, tools: [tool] })
    const { clock } = run.deps
    const events = await run.run((event) => {
      if (event.type !== 'input.requested') return
      // Longer than the time limit of the call.
      void clock.sleep(90_000, new AbortController().signal).then(() => {
        run.decisions.reply({ callId: 'call_1_1', inputId: event.inputId, by: 'person', ...answer('yes') })
      })
    })
    expect(endOf(events).status).toBe('completed')
    expect(resultOf(run.state)).toBe('[{"action":"answer","text":"yes"},{"action":"answer","text":"yes"}]')
    const call = run.state.calls.get('call_1_1')
    expect(call?.waitedMs).toBeGreaterThanOrEqual(180_000)
    expect(call?.durationMs).toBeLessThan(1_000)
    expect(typesOf(events)).not.toContain('call.continued')
  })

  test.each([
    { effect: 'effect' as const, status: 'unknown', times: 1 },
    { effect: 'read' as const, status: 'ok', times: 2 },
  ])('is lost with the server: of class $effect it ends as $status', async ({ effect, status, times }) => {
    const tool = askingAtWork('ask', [question('a')], { effect })
    const run = begin({ play: twoTurns, tools: [tool] })
    const events = await run.run((event, controller) => {
      if (event.type === 'input.requested') controller.abort('drain')
    })
    expect(events.at(-1)?.type).toBe('input.requested')
    const state = replay(events)
    const decisions = new Decisions()
    const { deps } = createRig({ play: twoTurns, tools: [tool], deps: { decisions } })
    const rest = await collect(deps, {
      state,
      on: (event) => {
        if (event.type === 'input.requested')
          decisions.reply({ callId: 'call_1_1', inputId: event.inputId, by: 'person', ...answer('now') })
      },
    })
    expect(of(rest, 'input.given')[0]).toMatchObject({ inputId: 'a', action: 'cancel', by: 'restart' })
    expect([state.calls.get('call_1_1')?.status, tool.ran.length]).toEqual([status, times])
    if (effect === 'effect') expect(resultOf(state)).toContain('waited for a person’s answer')
    expect([endOf(rest).status, state.waiting]).toEqual(['completed', 0])
  })

  test('frees the slot of its run while only the person is waited for', async () => {
    let aside = 0
    const run = begin({
      play: twoTurns,
      tools: [askingAtWork('ask', [question('a')])],
      deps: {
        aside: async (wait) => {
          aside += 1
          await wait()
        },
      },
    })
    await run.run((event) => {
      if (event.type !== 'input.requested') return
      setImmediate(() =>
        run.decisions.reply({ callId: 'call_1_1', inputId: 'a', by: 'person', ...answer('yes') }),
      )
    })
    expect([aside, run.state.finishedAt !== undefined]).toEqual([1, true])
  })

  test('a cancel ends it at once', async () => {
    const run = begin({ play: twoTurns, tools: [askingAtWork('ask', [question('a')], { effect: 'effect' })] })
    const events = await run.run((event, controller) => {
      if (event.type === 'input.requested') controller.abort('cancel')
    })
    expect(of(events, 'input.given')).toMatchObject([{ action: 'cancel', by: 'cancel' }])
    expect(endOf(events).status).toBe('cancelled')
    expect(run.state.waiting).toBe(0)
  })

  test('asks at most fifty questions; more are declined', async () => {
    const many = Array.from({ length: 52 }, (_, index) => question(`q${index}`))
    const run = begin({ play: twoTurns, tools: [askingAtWork('ask', many)] })
    const events = await run.run((event) => {
      if (event.type === 'input.requested')
        run.decisions.reply({ callId: 'call_1_1', inputId: event.inputId, by: 'person', ...answer('yes') })
    })
    expect(of(events, 'input.requested')).toHaveLength(50)
    expect(resultOf(run.state)?.match(/at most 50 questions/g)).toHaveLength(2)
  })
})
