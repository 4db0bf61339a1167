import { describe, expect, test } from 'vitest'
import { type RunEvent, runEvent } from '#lib/spec/event'
import type { CallPart } from '#lib/spec/message'
import {
  calls,
  collect,
  createRig,
  createTool,
  denying,
  endOf,
  fresh,
  of,
  replay,
  text,
  typesOf,
  unpaired,
} from './rig.fixture'
import { run } from './run'
import { fold } from './state/fold'

const effect = () => createTool('write', { effect: 'effect', node: 'tools/1' })
const read = () => createTool('look')

function cutAfter(events: readonly RunEvent[], type: RunEvent['type']): RunEvent[] {
  return events.slice(0, typesOf(events).indexOf(type) + 1)
}

describe('after a crash', () => {
  test('in mid-stream the model is asked again, and what the old attempt said is void (F1)', async () => {
    const { deps } = createRig({ play: [text('a', 'b')] })
    const state = replay(cutAfter(await collect(deps), 'text.delta'))
    expect(state.steps[0]?.live.text).toBe('a')
    const rest = await collect(deps, { state })
    expect(typesOf(rest).slice(0, 2)).toEqual(['run.resumed', 'model.requested'])
    expect(of(rest, 'model.requested')).toMatchObject([{ attempt: 2 }])
    expect(endOf(rest).answer).toBe('ab')
  })

  test('after an answer only calls without a result are due (E-28)', async () => {
    const play = [calls('look', 'look'), text('ok')]
    const first = await collect(createRig({ play, tools: [read()] }).deps)
    const tool = read()
    const { deps, model } = createRig({ play, tools: [tool] })
    const rest = await collect(deps, { state: replay(cutAfter(first, 'call.finished')) })
    expect(tool.ran).toEqual(['call_1_2'])
    expect(model.requests).toHaveLength(1)
    expect(endOf(rest).status).toBe('completed')
  })

  test('a read that had begun runs again under the call.started it has (F2)', async () => {
    const play = [calls('look'), text('ok')]
    const tool = read()
    const { deps } = createRig({ play, tools: [tool] })
    const first = cutAfter(await collect(deps), 'call.started')
    const rest = await collect(deps, { state: replay(first) })
    expect(of(rest, 'call.started')).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'ok', attempts: 2 }])
    expect(endOf(rest).toolCalls).toEqual([{ name: 'look', count: 1 }])
  })

  test('a read that may have brought the server down runs again only once the resume is stored', async () => {
    const order: string[] = []
    const tool = createTool('look', {
      run: async () => {
        order.push('body')
        return { ok: true, blocks: [] }
      },
    })
    const committed = async () => void order.push('stored')
    const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [tool], deps: { committed } })
    const first = cutAfter(await collect(deps), 'call.started')
    order.length = 0
    await collect(deps, { state: replay(first) })
    expect(order).toEqual(['stored', 'body'])
  })

  test('an effect that had begun is unknown and never runs again (F2)', async () => {
    const play = [calls('write'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [effect()] }).deps), 'call.started')
    const tool = effect()
    const { deps, model } = createRig({ play, tools: [tool] })
    const rest = await collect(deps, { state: replay(first) })
    expect(tool.ran).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([
      { status: 'unknown', code: 'unknown', attempts: 1, node: 'tools/1' },
    ])
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('may or may not have happened'),
    })
  })

  test('a call whose tool is gone is unknown', async () => {
    const play = [calls('look'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [read()] }).deps), 'call.started')
    const rest = await collect(createRig({ play }).deps, { state: replay(first) })
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'unknown' }])
  })

  test('sealed calls stand: the model is not asked again, the answer is what was sealed, and it goes on from there', async () => {
    const play = [calls('write', 'look'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [effect(), read()] }).deps), 'call.delta')
    const part: CallPart = { type: 'call', id: 'call_1_1', name: 'write', rawArgs: '{}', args: {} }
    const stamp = (body: object, index: number) =>
      runEvent.parse({ ...body, seq: first.length + index + 1, at: first.at(-1)?.at, step: 1 })
    const parts = [{ type: 'text', text: 'I write.' }, part]
    const sealed = [{ type: 'call.sealed', parts }].map(stamp)
    const begun = [
      { type: 'call.sealed', parts },
      {
        type: 'call.started',
        callId: 'call_1_1',
        name: 'write',
        args: {},
        source: 'builtin',
        node: 'tools/1',
      },
    ].map(stamp)
    for (const [before, status] of [
      [sealed, 'ok'],
      [begun, 'unknown'],
    ] as const) {
      const { deps, model } = createRig({ play, tools: [effect(), read()] })
      const rest = await collect(deps, { state: replay([...first, ...before]) })
      expect(of(rest, 'model.answered')[0]).toMatchObject({
        step: 1,
        finishReason: 'cut',
        parts: [{ text: 'I write.' }, { id: 'call_1_1' }],
      })
      expect(of(rest, 'call.finished')).toMatchObject([{ callId: 'call_1_1', status }])
      expect(model.requests.map((each) => each.step)).toEqual([2])
      expect(unpaired(model.requests[0]?.messages ?? [])).toEqual([])
      expect(endOf(rest).answer).toBe('ok')
    }
  })

  test('a denial on record is not put on record twice', async () => {
    const play = [calls('write'), text('ok')]
    const given = { play, tools: [effect()], policies: [denying('write')] }
    const first = cutAfter(await collect(createRig(given).deps), 'policy.ruled')
    const rest = await collect(createRig(given).deps, { state: replay(first) })
    expect(of(rest, 'policy.ruled')).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'denied' }])
  })

  test('a run that was only queued begins', async () => {
    const { deps } = createRig({ play: [text('a')] })
    const state = fresh()
    const { agent, input, threadId } = state.start
    fold(state, { type: 'run.queued', seq: 1, at: 5, step: 0, agent, input, threadId })
    const events = await collect(deps, { state })
    expect(typesOf(events)[0]).toBe('run.started')
    expect(events[0]?.seq).toBe(2)
  })
})

describe('a run that brings the server down', () => {
  /** Kills the server this many times, in the call of the first step. */
  async function afterCrashes(count: number, reason: 'crash' | 'drain') {
    const play = [calls('look', 'look'), text('ok')]
    const recorded = cutAfter(await collect(createRig({ play, tools: [read()] }).deps), 'call.started')
    for (let turn = 0; turn < count; turn++) {
      const { deps } = createRig({ play, tools: [read()] })
      const events = run(replay(recorded), deps, new AbortController().signal, reason)
      const { value } = await events.next()
      if (value !== undefined && value !== null) recorded.push(value)
      await events.return()
    }
    const tool = read()
    const { deps } = createRig({ play, tools: [tool] })
    return { rest: await collect(deps, { state: replay(recorded), resumed: reason }), tool }
  }

  test('is given up at the third recovery in a row, its calls answered (F11)', async () => {
    const { rest, tool } = await afterCrashes(2, 'crash')
    expect(endOf(rest)).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(of(rest, 'call.finished').map((event) => event.status)).toEqual(['interrupted', 'skipped'])
    expect(tool.ran).toEqual([])
  })

  test('goes on after two, and after any number of drains', async () => {
    expect(endOf((await afterCrashes(1, 'crash')).rest).status).toBe('completed')
    expect(endOf((await afterCrashes(5, 'drain')).rest).status).toBe('completed')
  })
})
