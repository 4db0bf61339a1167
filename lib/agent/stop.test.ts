import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { ToolOutput } from '#lib/spec/tool'
import {
  type Beat,
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  finish,
  fresh,
  limiting,
  of,
  replay,
  said,
  saying,
  type Turn,
  text,
  typesOf,
  unpaired,
} from './rig.fixture'
import { messagesOf } from './state/dialogue'

type On = (event: RunEvent, controller: AbortController) => void

/** Aborts at the first event of a type. */
function at(type: RunEvent['type'], reason = 'cancel'): On {
  return (event, controller) => event.type === type && controller.abort(reason)
}

/** A body that ends when its signal aborts, or never. `begun` is called when it is at work. */
function waiting(obeys: boolean, begun: () => void = () => {}) {
  return createTool(obeys ? 'obeys' : 'ignores', {
    timeoutSeconds: 100_000,
    effect: 'effect',
    run: (_, { signal }) => {
      queueMicrotask(begun)
      return new Promise<ToolOutput>((_, reject) => {
        if (obeys) signal.addEventListener('abort', () => reject(signal.reason))
      })
    },
  })
}

function sound(events: readonly RunEvent[]): void {
  const state = replay(events)
  expect(endOf(events)).toMatchObject({ status: 'cancelled', error: null })
  expect(unpaired(messagesOf(state))).toEqual([])
  const asked = of(events, 'model.answered').flatMap((event) =>
    event.parts.filter((part) => part.type === 'call'),
  )
  expect(
    of(events, 'call.finished')
      .map((event) => event.callId)
      .sort(),
  ).toEqual(asked.map((call) => call.id).sort())
}

describe('a cancel', () => {
  test('before anything ends the run at once', async () => {
    const { deps, model } = createRig({ play: [text('a')] })
    const controller = new AbortController()
    controller.abort('cancel')
    const events = await collect(deps, { controller })
    expect(typesOf(events)).toEqual(['run.finished'])
    expect(endOf(events)).toMatchObject({ status: 'cancelled', answer: null, steps: 0 })
    expect(model.requests).toEqual([])
  })

  test('before the first token ends a request that hangs (F8)', async () => {
    const controller = new AbortController()
    const play = (): Turn => {
      queueMicrotask(() => controller.abort('cancel'))
      return ['hang']
    }
    const { deps, clock } = createRig({ play })
    const events = await collect(deps, { controller })
    sound(events)
    expect(of(events, 'model.answered')).toMatchObject([
      { finishReason: 'cancelled', parts: [], firstTokenMs: null },
    ])
    expect(clock.monotonic()).toBe(0)
  })

  test('in mid-arguments keeps the text and whole calls, and drops the one that is not whole (E-26, S4-30)', async () => {
    const turn: Turn = [
      { type: 'text', text: 'I will' },
      ...saying({ name: 'look', args: { n: 1 } }),
      { type: 'call.start', index: 1, name: 'look' },
      { type: 'call.args', index: 1, text: '{"n": ' },
      { waitMs: 50 },
      { type: 'call.args', index: 1, text: '2' },
      'hang',
    ]
    const look = createTool('look')
    const { deps } = createRig({ play: [turn], tools: [look] })
    const on: On = (event, controller) => {
      if (event.type === 'call.delta' && event.argsText === '2') controller.abort()
    }
    const events = await collect(deps, { on })
    sound(events)
    expect(of(events, 'model.answered')).toMatchObject([
      {
        finishReason: 'cancelled',
        parts: [
          { type: 'text', text: 'I will' },
          { type: 'call', id: 'call_1_1' },
        ],
      },
    ])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'skipped', attempts: 0 }])
    expect(endOf(events).answer).toBe('I will')
    expect(look.ran).toEqual([])
  })

  const bodies: [string, boolean, number][] = [
    ['obeys', true, 0],
    ['ignores', false, 500],
  ]
  test.each(bodies)(
    'in mid-call of a body that %s it is over within the grace (E-27, F8)',
    async (name, obeys, ms) => {
      const controller = new AbortController()
      const tool = waiting(obeys, () => controller.abort('cancel'))
      const { deps, clock } = createRig({ play: [calls(name, name)], tools: [tool] })
      const events = await collect(deps, { controller })
      sound(events)
      expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }, { status: 'skipped' }])
      expect(clock.monotonic()).toBe(ms)
      expect(tool.ran).toHaveLength(1)
    },
  )

  test('in the middle of parallel calls keeps what is finished, in call order towards the model (E-27)', async () => {
    const quick = createTool('quick')
    const tools = [quick, waiting(true), waiting(false)]
    const turn = calls('ignores', 'quick', 'obeys', 'quick')
    const policies = [limiting({ strategy: 'parallel', concurrency: 3 })]
    const { deps, clock } = createRig({ play: [turn], tools, policies })
    const events = await collect(deps, { on: at('call.finished') })
    sound(events)
    expect(of(events, 'call.finished').map(({ callId, status }) => `${callId} ${status}`)).toEqual([
      'call_1_2 ok',
      'call_1_1 interrupted',
      'call_1_3 interrupted',
      'call_1_4 skipped',
    ])
    expect(clock.monotonic()).toBeLessThan(1_000)
  })

  test('lets a body that ends well within the grace have its true result', async () => {
    const controller = new AbortController()
    const tool = createTool('closes', {
      run: (_, { signal }) => {
        queueMicrotask(() => controller.abort('cancel'))
        return new Promise((resolve) =>
          signal.addEventListener('abort', () => resolve(said('closed in order'))),
        )
      },
    })
    const { deps } = createRig({ play: [calls('closes')], tools: [tool] })
    const events = await collect(deps, { controller })
    sound(events)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'ok', result: { text: 'closed in order' } }])
  })

  test('at any event ends the run as cancelled with every call answered, within a second (F8)', async () => {
    const rig = () => {
      const beats: Beat[] = [{ type: 'text', text: 'hm' }, { waitMs: 60 }, { type: 'text', text: '…' }]
      const play: Turn[] = [
        [...beats, ...calls('quick', 'ghost', 'quick')],
        [...beats, ...calls('quick')],
        text('done'),
      ]
      return createRig({ play, tools: [createTool('quick')], policies: [limiting({ maxSteps: 2 })] })
    }
    const whole = await collect(rig().deps)
    for (let index = 0; index < whole.length - 1; index++) {
      const { deps, clock } = rig()
      let since = 0
      const on: On = ({ seq }, controller) => {
        if (seq !== index + 1) return
        since = clock.monotonic()
        controller.abort('cancel')
      }
      const events = await collect(deps, { on })
      sound(events)
      expect(clock.monotonic() - since).toBeLessThan(1_000)
    }
  })

  test('that a crash overtook still holds once the answer says so', async () => {
    const look = createTool('look')
    const turn = [...saying('look'), 'hang'] as const
    const first = createRig({ play: [turn], tools: [look] })
    const events = await collect(first.deps, { on: at('call.delta') })
    const cut = events.slice(0, typesOf(events).indexOf('model.answered') + 1)
    const again = createRig({ play: [turn], tools: [look] })
    const rest = await collect(again.deps, { state: replay(cut) })
    expect(endOf(rest).status).toBe('cancelled')
    expect(look.ran).toEqual([])
  })
})

describe('a drain', () => {
  test('in mid-stream returns quietly, and the run goes on later as a new attempt (F9)', async () => {
    const play = ({ attempt }: { attempt: number }): Turn =>
      attempt === 1 ? [{ type: 'text', text: 'half' }, 'hang'] : text('whole')
    const { deps } = createRig({ play })
    const events = await collect(deps, { on: at('text.delta', 'drain') })
    expect(typesOf(events).at(-1)).toBe('text.delta')
    const rest = await collect(deps, { state: replay(events), resumed: 'drain' })
    expect(rest[0]).toMatchObject({ type: 'run.resumed', reason: 'drain', attempt: 1 })
    expect(of(rest, 'model.requested')).toMatchObject([{ attempt: 2 }])
    expect(endOf(rest)).toMatchObject({ status: 'completed', answer: 'whole' })
  })

  const classes: ['read' | 'effect', number, string[], string[]][] = [
    ['read', 0, [], ['ok']],
    ['effect', 300, ['ok'], []],
  ]
  test.each(classes)(
    'while a body of class %s runs breaks it off or lets it finish (F9)',
    async (effect, ms, drained, later) => {
      const controller = new AbortController()
      let rig: ReturnType<typeof createRig>
      const tool = createTool('slow', {
        effect,
        async run(_, { signal }) {
          queueMicrotask(() => controller.abort('drain'))
          await rig.clock.sleep(300, signal)
          return said('done')
        },
      })
      rig = createRig({ play: [calls('slow'), text('ok')], tools: [tool] })
      const events = await collect(rig.deps, { controller })
      expect(of(events, 'call.finished').map((event) => event.status)).toEqual(drained)
      expect(of(events, 'run.finished')).toEqual([])
      expect(rig.clock.monotonic()).toBe(ms)
      const rest = await collect(rig.deps, { state: replay(events), resumed: 'drain' })
      expect(of(rest, 'call.finished').map((event) => event.status)).toEqual(later)
      expect(of(rest, 'call.started')).toEqual([])
      expect(endOf(rest).status).toBe('completed')
    },
  )

  test('keeps the true result of an effect that fails by itself', async () => {
    const controller = new AbortController()
    let rig: ReturnType<typeof createRig>
    const tool = createTool('slow', {
      effect: 'effect',
      async run(_, { signal }) {
        queueMicrotask(() => controller.abort('drain'))
        await rig.clock.sleep(300, signal)
        return { ok: false, message: 'the disk is full', code: 'full' }
      },
    })
    rig = createRig({ play: [calls('slow'), text('ok')], tools: [tool] })
    const events = await collect(rig.deps, { controller })
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'error', code: 'full' }])
    const rest = await collect(rig.deps, { state: replay(events), resumed: 'drain' })
    expect(of(rest, 'call.finished')).toEqual([])
    expect(endOf(rest).status).toBe('completed')
  })

  test('does not wait longer than the grace for an effect that goes on, which is then unknown', async () => {
    const controller = new AbortController()
    const tool = waiting(false, () => controller.abort('drain'))
    const { deps, clock } = createRig({ play: [calls('ignores'), text('ok')], tools: [tool] })
    const events = await collect(deps, { controller })
    expect(clock.monotonic()).toBe(6_000)
    const rest = await collect(deps, { state: replay(events), resumed: 'drain' })
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'unknown' }])
    expect(tool.ran).toHaveLength(1)
  })
})

test('a reader who goes away leaves no body and no stream behind', async () => {
  const aborted: string[] = []
  const tool = createTool('look', {
    run: (_, { signal }) =>
      new Promise<ToolOutput>(() => signal.addEventListener('abort', () => aborted.push('body'))),
  })
  const { run } = await import('./run')
  const { deps } = createRig({ play: [calls('look')], tools: [tool] })
  const events = run(fresh(), deps, new AbortController().signal)
  for (;;) {
    const { value } = await events.next()
    if (value?.type === 'call.started') break
  }
  const pulled = events.next()
  await new Promise(setImmediate)
  // A waiting generator cannot return before it wakes. The time limit of the call wakes it.
  const [{ value }] = await Promise.all([pulled, events.return()])
  expect(value?.type).toBe('call.finished')
  expect(aborted).toEqual(['body'])
})

test('finish reasons of the provider are on record as they came', async () => {
  const { deps } = createRig({ play: [[{ type: 'text', text: 'so' }, finish('length')]] })
  const events = await collect(deps)
  expect(of(events, 'model.answered')).toMatchObject([{ finishReason: 'length' }])
  expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'so' })
})
