import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { budgeting } from '../policies.fixture'
import { request } from '../request/rerequest'
import {
  calls,
  collect,
  createPolicy,
  createTool,
  denying,
  endOf,
  finish,
  type Given,
  limiting,
  of,
  replay,
  said,
  saying,
  text,
  unpaired,
} from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { phaseOf } from '../state/reading'
import { rig, slow, texts } from './background.fixture'
import { Decisions } from './decisions'

const started = 'Started in the background as call_1_1.'
const note =
  '[The call call_1_1 of slow, which ran in the background, has ended. What follows is its result, not words of the user.]\nfound {}'

describe('a call in the background (S4-42)', () => {
  test('is answered at once with its id, and its result is a note at the next step', async () => {
    const { deps, model } = rig((wait) => ({
      play: [
        calls('slow', 'look'),
        [...saying('look'), { waitMs: 2_000 }, finish('calls')],
        calls('look'),
        text('ok'),
      ],
      tools: [slow(wait, 1_000), createTool('look')],
    }))
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok', steps: 4 })
    const [, second, third, fourth] = model.requests
    expect(second?.messages[2]).toMatchObject({ role: 'tool', callId: 'call_1_1', isError: false })
    expect(String(texts(second?.messages ?? [])[2])).toContain(started)
    expect(texts(second?.messages ?? [])).not.toContain(note)
    expect(texts(third?.messages ?? []).at(-1)).toBe(note)
    // It is told once, and stays where it is.
    expect(texts(fourth?.messages ?? []).filter((each) => each === note)).toHaveLength(1)
    for (const each of model.requests) expect(unpaired(each.messages)).toEqual([])
    expect(of(events, 'call.finished').map(({ callId, step }) => [callId, step])).toEqual([
      ['call_1_2', 1],
      ['call_1_1', 2],
      ['call_2_1', 2],
      ['call_3_1', 3],
    ])
    expect(of(events, 'call.finished')[1]).toMatchObject({ status: 'ok', durationMs: 1_000 })
  })

  test('keeps the requests of later steps beginning with the earlier ones, and each can be built again', async () => {
    const { deps, model } = rig((wait) => ({
      play: [
        calls('slow'),
        [...saying('look'), { waitMs: 2_000 }, finish('calls')],
        calls('look'),
        text('ok'),
      ],
      tools: [slow(wait, 1_000), createTool('look')],
    }))
    const state = replay(await collect(deps))
    model.requests.forEach(({ body, messages }, index) => {
      expect(request(state, deps, index + 1)?.body).toBe(body)
      const next = model.requests[index + 1]?.messages
      if (next !== undefined) expect(next.slice(0, messages.length)).toEqual(messages)
    })
  })

  test('reports its result while the model answers, before the answer is complete', async () => {
    const { deps } = rig((wait) => ({
      play: [
        calls('slow'),
        [{ type: 'text', text: 'a' }, { waitMs: 5_000 }, { type: 'text', text: 'b' }, finish('stop')],
      ],
      tools: [slow(wait, 1_000)],
    }))
    const events = await collect(deps)
    const second = events.findIndex((event) => event.type === 'text.delta' && event.text === 'b')
    const finished = events.findIndex(({ type }) => type === 'call.finished')
    expect(finished).toBeGreaterThan(0)
    expect(finished).toBeLessThan(second)
  })

  test('is awaited at the end of the run, and the model then answers with its result', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), text('I have started it.'), text('It found something.')],
      tools: [slow(wait, 30_000)],
    }))
    const phases: string[] = []
    const seen: RunEvent[] = []
    const events = await collect(deps, {
      on: (event) => {
        seen.push(event)
        phases.push(phaseOf(replay(seen)).at)
      },
    })
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'It found something.' })
    expect(model.requests).toHaveLength(3)
    expect(texts(model.requests[2]?.messages ?? []).slice(-2)).toEqual([
      note,
      expect.stringContaining('calls in the background have ended'),
    ])
    const finished = events.findIndex(({ type }) => type === 'call.finished')
    expect(phases[finished - 1]).toBe('calling')
  })

  test('is awaited before the closing answer at the step limit', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), text('closing')],
      tools: [slow(wait, 30_000)],
      policies: [limiting({ maxSteps: 1 })],
    }))
    expect(endOf(await collect(deps))).toMatchObject({ status: 'max_steps', answer: 'closing' })
    expect(texts(model.requests[1]?.messages ?? [])).toContain(note)
  })

  test('has its own time limit at the end of the run, after which its result says so', async () => {
    const { deps } = rig((wait) => ({
      play: [calls('slow'), text('started'), text('it took too long')],
      tools: [slow(wait, 90_000)],
    }))
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'timeout', durationMs: 60_000 }])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'it took too long' })
  })

  test('does not keep the run from ending with a call that ends it; the next run of the thread reads the result', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), calls('done')],
      tools: [slow(wait, 1_000), createTool('done', { ends: true, run: () => said('the answer') })],
    }))
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'the answer' })
    expect(of(events, 'call.finished').at(-1)).toMatchObject({ callId: 'call_1_1', status: 'ok' })
    expect(model.requests).toHaveLength(2)
    expect(texts(messagesOf(replay(events))).at(-1)).toBe(note)
  })

  test('stops within its grace period when the run is cancelled, and gets one result', async () => {
    const { deps, clock } = rig((wait) => ({
      play: [calls('slow'), ['hang']],
      tools: [slow(wait, 50_000, { effect: 'effect' })],
    }))
    const events = await collect(deps, {
      on: ({ type, step }, controller) =>
        type === 'model.requested' && step === 2 && controller.abort('cancel'),
    })
    expect(endOf(events).status).toBe('cancelled')
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(clock.monotonic()).toBeLessThan(2_000)
  })

  test('is stopped when the time of the run is over', async () => {
    const { deps, clock } = rig((wait) => ({
      play: [calls('slow'), text('started')],
      tools: [slow(wait, 50_000)],
      policies: [budgeting({ seconds: 5 })],
    }))
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(clock.monotonic()).toBeLessThan(6_000)
    expect(endOf(events)).toMatchObject({ answer: 'started' })
  })

  test('counts in a budget of calls, is denied like any other, and needs the same approval', async () => {
    const asking = createPolicy('approval', 'policies/5', {
      stages: ['approval'],
      rule: (_, asked) =>
        asked.moment === 'call' ? { verdict: 'confirm', reason: 'approval is needed' } : undefined,
    })
    const one = (policy: Given['policies']) =>
      rig((wait) => ({
        play: [calls('slow', 'slow'), text('ok'), text('ok')],
        tools: [slow(wait, 10)],
        policies: policy ?? [],
      })).deps
    const counted = await collect(one([budgeting({ calls: 1 })]))
    expect(of(counted, 'call.started')).toHaveLength(1)
    expect(of(counted, 'call.finished').map(({ status }) => status)).toContain('skipped')
    const denied = await collect(one([denying('slow')]))
    expect(of(denied, 'call.started')).toHaveLength(0)
    const waiting = await collect(one([asking]))
    expect(waiting.at(-1)?.type).toBe('approval.requested')
    expect(of(waiting, 'call.started')).toHaveLength(0)
  })

  test('goes on while another call waits for a person, and the run waits for both', async () => {
    const decisions = new Decisions()
    const asking = createPolicy('approval', 'policies/5', {
      appliesTo: ['write'],
      stages: ['approval'],
      rule: (_, asked) =>
        asked.moment === 'call' ? { verdict: 'confirm', reason: 'approval is needed' } : undefined,
    })
    const { deps } = rig((wait) => ({
      play: [calls('slow', 'write'), text('ok')],
      tools: [slow(wait, 5_000), createTool('write', { effect: 'effect' })],
      policies: [asking],
      deps: { decisions },
    }))
    const events = await collect(deps, {
      on: (event) => {
        if (event.type === 'call.finished' && event.callId === 'call_1_1')
          decisions.push({ callId: 'call_1_2', decision: 'approve', scope: 'call', by: 'person' })
      },
    })
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
    expect(of(events, 'call.finished').map(({ callId }) => callId)).toEqual(['call_1_1', 'call_1_2'])
  })

  test('keeps its text and its note when a long run takes out old results', async () => {
    const long = 'a long result '.repeat(300)
    const { deps, model } = rig(() => ({
      play: [calls('slow'), ...Array.from({ length: 7 }, () => calls('look')), text('ok')],
      tools: [
        createTool('slow', { background: true, run: () => said(long) }),
        createTool('look', { run: () => said(long) }),
      ],
      policies: [limiting({ context: { at: 0.8, how: 'clear', keep: 1, clearTo: 0.5 } })],
      // The stand-in counts few tokens, so the estimate is scaled down to a quarter.
      deps: { contextWindow: 2_000 },
    }))
    const events = await collect(deps)
    const cut = of(events, 'context.compacted')
    expect(cut.flatMap((each) => each.calls)).toContain('call_2_1')
    expect(cut.flatMap((each) => each.calls)).not.toContain('call_1_1')
    const last = model.requests.at(-1)?.messages ?? []
    expect(String(texts(last)[2])).toContain(started)
    expect(texts(last).filter((each) => String(each).includes('which ran in the background'))).toHaveLength(1)
    expect(endOf(events).status).toBe('completed')
  })

  test('waits for room when as many run in the background as may run at once', async () => {
    const { deps } = rig((wait) => ({
      play: [calls('slow', 'slow', 'slow'), text('ok'), text('ok')],
      tools: [slow(wait, 1_000)],
      policies: [limiting({ concurrency: 2 })],
    }))
    const events = await collect(deps)
    const order = events
      .filter(({ type }) => type === 'call.started' || type === 'call.finished')
      .map(({ type }) => type)
    expect(order.slice(0, 4)).toEqual(['call.started', 'call.started', 'call.finished', 'call.started'])
    expect(endOf(events).status).toBe('completed')
  })

  test('a call of a tool that ends the run is waited for, whatever its entry says', async () => {
    const { deps } = rig(() => ({ play: [calls('done')], tools: [createTool('done', { ends: true })] }))
    expect(of(await collect(deps), 'call.started')[0]).not.toHaveProperty('background')
  })
})
