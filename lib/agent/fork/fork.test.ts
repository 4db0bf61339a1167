import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EventBody, type RunEvent, runEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import { Decisions } from '../call/decisions'
import { request } from '../request/rerequest'
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
  question,
  replay,
  said,
  type Turn,
  text,
  unpaired,
} from '../rig.fixture'
import { run } from '../run'
import { copiedThrough } from '../state/fork-copied'
import { type ForkAt, type Kept, keepForFork } from './fork'
import { firstEvents } from './fork-events'

const limits = { maxSteps: 9, concurrency: 4 }

function staged(turns: readonly Turn[], strategy: 'sequential' | 'parallel' = 'sequential') {
  const write = createTool('write', { effect: 'effect', node: 'tools/1' })
  let rig: ReturnType<typeof createRig>
  const slow = createTool('slow', {
    async run({ ms = 0 }) {
      await rig.clock.sleep(Number(ms), new AbortController().signal)
      return { ok: true, blocks: [{ type: 'text', text: `slept ${ms}` }] }
    },
  })
  rig = createRig({
    play: ({ step }) => turns[step - 1] ?? text('nothing more to say'),
    tools: [createTool('look'), write, slow],
    policies: [limiting({ ...limits, strategy })],
  })
  return { ...rig, write, slow }
}

const turns = [calls('look'), calls('look', 'write', 'look'), text('done')]

/** The first events of a fork, as they are stored. */
function begun(parent: readonly RunEvent[], at: ForkAt, now = 1_900_000_000_000): RunEvent[] {
  const kept = keepForFork(parent, at)
  if (!kept.ok) throw new Error(kept.error.message)
  const [started] = of(parent, 'run.started')
  if (started === undefined) throw new Error('the parent has not begun')
  const { agent, input } = question
  const begin = { agent, input, threadId: 'thread_2', historyThrough: null, at: now }
  const first = firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step: at.step } }, started, kept.value)
  return first.map((each) => runEvent.parse(JSON.parse(JSON.stringify(each))))
}

function refusal(kept: Kept): string {
  return kept.ok ? 'nothing' : `${kept.error.code} ${kept.error.path}`
}

/** The parts of a state that make up its dialogue. */
function dialogue({ messages, steps }: RunState) {
  return {
    messages,
    steps: steps.map(({ number, parts, request: asked, messagesBefore, calls: made }) => ({
      number,
      parts,
      hash: asked?.hash,
      messagesBefore,
      calls: made.map(({ id, name, args, status, result }) => ({ id, name, args, status, result })),
    })),
  }
}

describe('what a fork takes over', () => {
  const kinds = (events: readonly RunEvent[]) => events.map(({ type, step }) => `${step} ${type}`)

  test('without a change it is all before the step, without beginnings and deltas', async () => {
    const parent = await collect(staged(turns).deps)
    const kept = keepForFork(parent, { step: 2 })
    expect(kept.ok && kinds(kept.value)).toEqual([
      '1 step.started',
      '1 model.requested',
      '1 model.answered',
      '1 call.started',
      '1 call.finished',
      '1 step.finished',
    ])
    expect(keepForFork(parent, { step: 1 })).toEqual({ ok: true, value: [] })
    expect(keepForFork(parent, { step: 3, edit: { prompt: 'other' } })).toEqual({ ok: true, value: [] })
  })

  test('a reply stands after the request, with ids of its own', async () => {
    const parent = await collect(staged(turns).deps)
    const reply = [
      { type: 'text' as const, text: 'mine' },
      { type: 'call' as const, name: 'look', args: { a: 1 } },
      { type: 'call' as const, name: 'write', rawArgs: '{"b":2}' },
      { type: 'call' as const, name: 'write', rawArgs: '{' },
    ]
    const kept = keepForFork(parent, { step: 2, edit: { reply } })
    expect(kept.ok && kinds(kept.value).slice(-3)).toEqual([
      '2 step.started',
      '2 model.requested',
      '2 model.answered',
    ])
    const [, answer] = of(kept.ok ? [...kept.value] : [], 'model.answered')
    expect(answer).toMatchObject({
      edited: 'all',
      finishReason: 'calls',
      usage: { input: 0, output: 0 },
      parts: [
        { type: 'text', text: 'mine' },
        { id: 'call_2_1', name: 'look', args: { a: 1 }, rawArgs: '{"a":1}' },
        { id: 'call_2_2', name: 'write', args: { b: 2 } },
        { id: 'call_2_3', name: 'write', invalid: { code: 'args_json' } },
      ],
    })
  })

  test('edited arguments stand in the answer, and no call of the step is kept', async () => {
    const parent = await collect(staged(turns).deps)
    const kept = keepForFork(parent, { step: 2, edit: { callId: 'call_2_2', args: { mine: true } } })
    expect(kept.ok && kinds(kept.value).at(-1)).toBe('2 model.answered')
    const [, answer] = of(kept.ok ? [...kept.value] : [], 'model.answered')
    expect(answer?.edited).toEqual(['call_2_2'])
    expect(answer?.parts[1]).toMatchObject({ args: { mine: true }, rawArgs: '{"mine":true}' })
  })

  test('arguments edited in a fork stay marked when a fork of it edits those of another call', async () => {
    const parent = await collect(staged(turns).deps)
    const child = begun(parent, { step: 2, edit: { callId: 'call_2_2', args: { mine: true } } })
    const kept = keepForFork(child, { step: 2, edit: { callId: 'call_2_1', args: { its: 2 } } })
    const [, answer] = of(kept.ok ? [...kept.value] : [], 'model.answered')
    expect(answer?.edited).toEqual(['call_2_2', 'call_2_1'])
  })

  test('edited arguments of a call that could not be read make it one that can', async () => {
    const parent = await collect(staged([calls({ name: 'write', args: '{' }), text('done')]).deps)
    expect(of(parent, 'model.answered')[0]?.parts[0]).toHaveProperty('invalid')
    const kept = keepForFork(parent, { step: 1, edit: { callId: 'call_1_1', args: { a: 1 } } })
    const [answer] = of(kept.ok ? [...kept.value] : [], 'model.answered')
    expect(answer?.parts[0]).toMatchObject({ args: { a: 1 } })
    expect(answer?.parts[0]).not.toHaveProperty('invalid')
  })

  test('an edited result leaves behind the artifact that held the one before', async () => {
    const artifact = 'art_1'
    const parent = await collect(staged(turns).deps)
    const kept = keepForFork(
      parent.map((each) => (each.type === 'call.finished' ? { ...each, artifact } : each)),
      { step: 2, edit: { callId: 'call_2_2', result: 'mine' } },
    )
    const results = of(kept.ok ? [...kept.value] : [], 'call.finished')
    expect(results.map((each) => [each.callId, each.artifact])).toEqual([
      ['call_1_1', 'art_1'],
      ['call_2_1', 'art_1'],
      ['call_2_2', undefined],
    ])
  })

  test('an edited result keeps the calls that had ended by then; those under way are due anew', async () => {
    const slow = (ms: number) => ({ name: 'slow', args: { ms } })
    const play = [calls(slow(300), slow(100), slow(200)), text('done')]
    const parent = await collect(staged(play, 'parallel').deps)
    const at = { step: 1, edit: { callId: 'call_1_3', result: 'mine' } }
    const state = replay(begun(parent, at))
    expect([...state.calls.values()].map(({ status, result }) => [status, result?.text])).toEqual([
      ['due', undefined],
      ['ok', 'slept 100'],
      ['ok', 'mine'],
    ])
    const fork = staged(play, 'parallel')
    await collect(fork.deps, { state })
    expect(fork.slow.ran).toEqual(['call_1_1'])
    expect(state.answer).toBe('done')
  })

  test('an answer that was cancelled is taken up', async () => {
    const { deps } = staged([calls('look', 'write'), text('done')])
    const parent = await collect(deps, {
      on: ({ type }, controller) => type === 'call.started' && controller.abort('cancel'),
    })
    const cancelled = parent.map((each) =>
      each.type === 'model.answered' ? { ...each, finishReason: 'cancelled' as const } : each,
    )
    const state = replay(begun(cancelled, { step: 1, edit: { callId: 'call_1_1', args: {} } }))
    await collect(staged([calls('look', 'write'), text('done')]).deps, { state })
    expect([state.status, state.answer]).toEqual(['completed', 'done'])
  })

  test('what does not fit the step is refused with its place', async () => {
    const parent = await collect(staged(turns).deps)
    const within = parent.slice(
      0,
      parent.findIndex((each) => each.type === 'call.started'),
    )
    expect(refusal(keepForFork(parent, { step: 9 }))).toBe('not_found step')
    expect(refusal(keepForFork(parent, { step: 1, edit: { callId: 'call_2_1', args: {} } }))).toBe(
      'not_found edit/callId',
    )
    expect(refusal(keepForFork(within, { step: 1, edit: { callId: 'call_1_1', result: '' } }))).toBe(
      'unprocessable edit/callId',
    )
    expect(refusal(keepForFork(parent, { step: 1, edit: { reply: [{ type: 'text', text: ' \n' }] } }))).toBe(
      'unprocessable edit/reply',
    )
    const asked = parent.slice(
      0,
      parent.findIndex((each) => each.type === 'model.requested'),
    )
    expect(refusal(keepForFork(asked, { step: 1, edit: { reply: [{ type: 'text', text: 'x' }] } }))).toBe(
      'unprocessable step',
    )
  })

  test('a step or a call of an agent that was called is none of the run’s own; its events stay with its call', () => {
    const at = (seq: number, body: EventBody, more: object = {}): RunEvent =>
      ({ ...body, seq, at: seq, step: 1, ...more }) as RunEvent // cast: a body with its numbers is its event
    const { agent, input } = question
    const call = (id: string) => ({ type: 'call' as const, id, name: 'ask', rawArgs: '{}', args: {} })
    const answered = (...ids: string[]): EventBody => ({
      type: 'model.answered',
      parts: ids.map(call),
      usage: { input: 1, output: 1 },
      finishReason: 'calls',
      durationMs: 1,
      firstTokenMs: null,
    })
    const ended = (callId: string): EventBody => ({
      type: 'call.finished',
      callId,
      name: 'ask',
      node: null,
      status: 'ok',
      code: null,
      result: { blocks: [], text: 'x' },
      durationMs: 1,
      attempts: 1,
    })
    const parent = [
      at(1, { type: 'run.queued', agent, input, threadId: null }, { step: 0 }),
      at(2, { type: 'step.started', maxSteps: 5 }),
      at(3, answered('a', 'b')),
      at(4, { type: 'step.started', maxSteps: 5 }, { parent: 'a', step: 7 }),
      at(5, answered('inner'), { parent: 'a' }),
      at(6, ended('inner'), { parent: 'a' }),
      at(7, answered('other'), { parent: 'b' }),
      at(8, ended('a')),
    ]
    expect(refusal(keepForFork(parent, { step: 7 }))).toBe('not_found step')
    expect(refusal(keepForFork(parent, { step: 1, edit: { callId: 'inner', result: 'x' } }))).toBe(
      'not_found edit/callId',
    )
    const kept = keepForFork(parent, { step: 1, edit: { callId: 'a', result: 'mine' } })
    expect(kept.ok && kept.value.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 8])
  })
})

describe('a fork', () => {
  test('of a fork tells apart what each run gave, and how long it took there', async () => {
    const parent = await collect(staged(turns).deps)
    const first = begun(parent, { step: 2, edit: { callId: 'call_2_1', result: 'mine' } })
    const state = replay(first)
    const child = [...first, ...(await collect(staged(turns).deps, { state }))]
    const second = begun(child, { step: 3 }, 2_000_000_000_000)
    const copied = of(second, 'run.started')[0]?.forkedFrom?.copied
    expect(copied).toHaveLength(2)
    expect(copied?.[0]?.through).toBe(of(first, 'run.started')[0]?.forkedFrom?.copied?.[0]?.through)
    expect(copied?.at(-1)?.through).toBe(second.length)
    // The years between the two runs belong to neither.
    for (const { ms } of copied ?? []) expect(ms).toBeLessThan(10_000)
  })

  test('ends with what a person wrote as the result of the call that ended its parent', async () => {
    const ending = createTool('finish', { ends: true, run: () => said('42') })
    const given = { play: [calls('look'), calls('finish')], tools: [createTool('look'), ending] }
    const parent = await collect(createRig(given).deps)
    const first = begun(parent, { step: 2, edit: { callId: 'call_2_1', result: '43' } })
    const rest = await collect(createRig(given).deps, { state: replay(first) })
    expect(endOf(rest)).toMatchObject({ status: 'completed', answer: '43' })
    expect(ending.ran).toHaveLength(1)
  })

  test('takes no whole-run yes, no waiting, no usage and no count of calls along', async () => {
    const parent = await collect(staged(turns).deps)
    const state = replay(begun(parent, { step: 3 }))
    expect(state.usage).toEqual({ input: 0, output: 0 })
    expect([state.toolCounts.size, state.waitedMs, state.granted.size]).toEqual([0, 0, 0])
    expect(state.steps.map(({ copied }) => copied)).toEqual(['whole', 'whole'])
    expect(copiedThrough(state.forkedFrom)).toBe(state.seq)
  })

  test('asks again what was allowed for the whole of the run that it goes on from', async () => {
    const asking = createPolicy('approval', 'policies/2', {
      stages: ['approval'],
      rule: () => ({ verdict: 'confirm', reason: 'a person decides' }),
    })
    const decisions = new Decisions()
    const { deps } = createRig({
      play: [calls('look'), calls('look'), text('done')],
      tools: [createTool('look')],
      policies: [asking],
      deps: { decisions },
    })
    const state = fresh()
    const parent = await collect(deps, { state })
    decisions.push({ callId: 'call_1_1', decision: 'approve', scope: 'run', by: 'person' })
    parent.push(...(await collect(deps, { state, resumed: 'decided' })))
    expect(state.status).toBe('completed')
    const own = await collect(deps, { state: replay(begun(parent, { step: 2 })) })
    expect(of(own, 'approval.requested').map(({ callId }) => callId)).toEqual(['call_2_1'])
  })

  const call = fc.constantFrom('look', 'write', 'slow')
  const turn: fc.Arbitrary<Turn> = fc
    .array(call, { minLength: 1, maxLength: 3 })
    .map((names) => calls(...names))

  test('stands in the dialogue exactly where its parent stood, and goes on soundly from there', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('sequential' as const, 'parallel' as const),
        fc.nat({ max: 1_000 }),
        async (played, strategy, pick) => {
          const parent = await collect(staged(played, strategy).deps)
          const places = [
            ...of(parent, 'step.started').map(({ step }) => ({
              at: { step } as ForkAt,
              type: 'step.started',
            })),
            ...of(parent, 'call.finished').map(({ step, callId, result }) => ({
              at: { step, edit: { callId, result: result.text } } as ForkAt,
              type: 'call.finished',
              callId,
            })),
          ]
          const place = places[pick % places.length]
          if (place === undefined || (place.at.step === 1 && place.at.edit === undefined)) return
          const end = parent.findIndex(
            (each) =>
              each.type === place.type &&
              each.step === place.at.step &&
              (!('callId' in place) || ('callId' in each && each.callId === place.callId)),
          )
          const stood = replay(parent.slice(0, place.at.edit === undefined ? end : end + 1))
          const before = structuredClone(parent)
          const first = begun(parent, place.at)
          const state = replay(first)
          // Calls that had begun without a result are due again; everything else is unchanged.
          const asDue = (of: ReturnType<typeof dialogue>) =>
            JSON.parse(JSON.stringify(of).replaceAll('"status":"running"', '"status":"due"'))
          expect(asDue(dialogue(state))).toEqual(asDue(dialogue(stood)))

          const fork = staged(played, strategy)
          const ids = new Set([...state.calls.values()].filter(({ result }) => result).map(({ id }) => id))
          const recorded = [...first, ...(await collect(fork.deps, { state }))]
          expect(recorded.map(({ seq }) => seq)).toEqual(recorded.map((_, index) => index + 1))
          expect(of(recorded, 'run.resumed')).toEqual([])
          for (const id of [...fork.write.ran, ...fork.slow.ran]) expect(ids.has(id)).toBe(false)
          for (const { messages } of fork.model.requests) expect(unpaired(messages)).toEqual([])
          expect(state.status).toBe('completed')
          expect(replay(recorded)).toEqual(state)
          for (const step of state.steps)
            expect(fork.deps.hash(request(state, fork.deps, step.number)?.body ?? '')).toBe(
              step.request?.hash,
            )
          expect(parent).toEqual(before)
        },
      ),
      { numRuns: 80 },
    )
  }, 60_000)

  test('that is stopped again goes on as any run does', async () => {
    const parent = await collect(staged(turns).deps)
    const first = begun(parent, { step: 2 })
    const own: RunEvent[] = []
    const { deps } = staged(turns)
    for await (const event of run(replay(first), deps, new AbortController().signal)) {
      own.push(event)
      if (own.length === 2) break
    }
    const again = await collect(staged(turns).deps, { state: replay([...first, ...own]) })
    expect(again[0]).toMatchObject({ type: 'run.resumed', attempt: 1 })
  })
})
