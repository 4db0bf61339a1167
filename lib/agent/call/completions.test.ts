import { describe, expect, test } from 'vitest'
import type { Completion, CompletionRequest } from '#lib/spec/completion'
import type { JsonSchema } from '#lib/spec/json'
import type { ModelRequest } from '#lib/spec/model'
import {
  type Beat,
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
  type Turn,
  text,
  typesOf,
} from '../rig.fixture'

const price = { input: 1_000, output: 2_000 }
const schema: JsonSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

/** The run's own turns call the tool and end; what the tool asks is answered by `answers`, one after another. */
function rig(
  answers: readonly Turn[] | ((request: ModelRequest, count: number) => Turn),
  asks: readonly Partial<CompletionRequest>[] = [{}],
  more: { effect?: 'read' | 'effect'; timeoutSeconds?: number; deps?: object; policies?: never[] } = {},
) {
  const got: Completion[] = []
  let count = 0
  const tool = createTool('digest', {
    ...(more.effect && { effect: more.effect }),
    ...(more.timeoutSeconds && { timeoutSeconds: more.timeoutSeconds }),
    async run(_, { complete }) {
      for (const each of asks) {
        const answer = await complete?.({ purpose: 'Digest', prompt: 'Shorten this.', ...each })
        if (answer !== undefined) got.push(answer)
      }
      return said(JSON.stringify(got.map((each) => (each.ok ? each.text : each.code))))
    },
  })
  const own = [calls('digest'), text('Done.')]
  const play = (request: ModelRequest): Turn => {
    if (request.purpose === undefined) return own[request.step - 1] ?? text('over')
    count += 1
    return typeof answers === 'function'
      ? answers(request, count)
      : (answers[count - 1] ?? text('no more answers'))
  }
  const made = createRig({ play, tools: [tool], policies: more.policies ?? [], deps: more.deps ?? {} })
  return { ...made, got, tool, asked: () => made.model.requests.filter((each) => each.purpose !== undefined) }
}

describe('a question of a tool to the model', () => {
  test('is an event with its usage, which counts for the step and the run', async () => {
    const { deps, got, asked } = rig([text('Short.')], [{ instructions: 'Be terse.' }], { deps: { price } })
    const state = fresh()
    const events = await collect(deps, { state })
    expect(of(events, 'completion.finished')).toMatchObject([
      {
        callId: 'call_1_1',
        purpose: 'Digest',
        model: { provider: 'stand-in', name: 'turns' },
        prompt: 'Shorten this.',
        text: 'Short.',
        attempts: 1,
        usage: { input: 10, output: 5 },
        costUsd: 0.02,
      },
    ])
    expect(got).toEqual([{ ok: true, text: 'Short.', usage: { input: 10, output: 5 }, costUsd: 0.02 }])
    expect(asked()).toMatchObject([{ instructions: 'Be terse.', tools: [], purpose: 'Digest' }])
    expect(of(events, 'step.finished')[0]?.usage).toEqual({ input: 20, output: 10 })
    expect(endOf(events)).toMatchObject({ usage: { input: 30, output: 15 }, costUsd: 0.06 })
    expect(replay(events).calls.get('call_1_1')?.completions).toHaveLength(1)
    // The event comes before the body goes on.
    expect(typesOf(events).indexOf('completion.finished')).toBeLessThan(
      typesOf(events).indexOf('call.finished'),
    )
  })

  test('is tried again like a request of a step, and every try is paid', async () => {
    const overloaded: Beat = {
      type: 'fault',
      fault: { code: 'overloaded', message: 'Too busy.', retry: 'backoff' },
    }
    const { deps, got, clock } = rig([
      [{ type: 'text', text: 'half of an answ' }, overloaded],
      text('Whole.'),
    ])
    const events = await collect(deps)
    expect(got).toMatchObject([{ ok: true, text: 'Whole.', usage: { estimated: true } }])
    expect(of(events, 'completion.finished')).toMatchObject([{ attempts: 2, text: 'Whole.' }])
    expect(of(events, 'completion.finished')[0]?.usage.input).toBeGreaterThan(10)
    expect(clock.sleeps).toBeGreaterThan(0)
  })

  test('that fails for good is an error of the question, not of the run', async () => {
    const { deps, got } = rig([[{ type: 'fault', fault: { code: 'auth', message: 'The key was refused.' } }]])
    const events = await collect(deps)
    expect(got).toMatchObject([{ ok: false, code: 'auth', message: 'The key was refused.' }])
    expect(of(events, 'completion.finished')).toMatchObject([{ error: { code: 'auth' }, text: '' }])
    expect(endOf(events).status).toBe('completed')
  })

  test('with a schema gives JSON, plain or fenced, and asks once more when it does not fit', async () => {
    const { deps, got, asked } = rig(
      [text('```json\n{"n": "two"}\n```'), text('```json\n{"n": 2}\n```')],
      [{ schema }],
    )
    const events = await collect(deps)
    expect(got).toMatchObject([{ ok: true, value: { n: 2 }, usage: { input: 20, output: 10 } }])
    expect(of(events, 'completion.finished')).toHaveLength(2)
    expect(asked()[0]).toMatchObject({ json: true, instructions: expect.stringContaining('"integer"') })
    expect(JSON.stringify(asked()[1]?.messages)).toContain('This is wrong with it')
  })

  test('with a schema ends as a failure when the second answer does not fit either', async () => {
    const { deps, got } = rig([text('no'), text('never')], [{ schema }])
    await collect(deps)
    expect(got).toMatchObject([{ ok: false, code: 'not_fitting', usage: { input: 20, output: 10 } }])
  })

  test('is cut at its limit of tokens, and at its limit of money', async () => {
    const words = Array.from({ length: 400 }, () => 'many words ')
    const tokens = rig([text(...words)], [{ maxTokens: 50 }])
    await collect(tokens.deps)
    expect(tokens.got).toMatchObject([{ ok: true, isCut: true, usage: { estimated: true } }])
    expect(tokens.got[0]?.usage.output).toBeLessThan(80)
    const money = rig([text(...words)], [{ maxUsd: 0.4 }], { deps: { price } })
    const events = await collect(money.deps)
    expect(money.got).toMatchObject([{ ok: true, isCut: true }])
    expect(money.got[0]?.costUsd).toBeLessThan(0.6)
    expect(of(events, 'completion.finished')).toMatchObject([{ cut: true }])
  })

  test('is cut where its reasoning uses up the tokens of the run, whenever it comes', async () => {
    const limits = () => [limiting({ budget: { tokens: 600, usd: Infinity, seconds: Infinity } })] as never[]
    const thought: Beat = { type: 'reasoning', text: 'many words '.repeat(10) }
    const thoughts = Array.from({ length: 100 }, () => thought)
    const before: Turn = [...thoughts, ...text('Never.')]
    const after: Turn = [{ type: 'text', text: 'Begun. '.repeat(20) }, ...thoughts]
    for (const turn of [before, after]) {
      const { deps, got } = rig([turn], [{}], { policies: limits() })
      await collect(deps)
      expect(got[0]?.usage.output).toBeGreaterThan(100)
      expect(got[0]?.usage.output).toBeLessThan(700)
    }
  })

  test('with a limit of money is refused where no price is known', async () => {
    const { deps, got, asked } = rig([], [{ maxUsd: 1 }])
    const events = await collect(deps)
    expect(got).toMatchObject([{ ok: false, code: 'price_unknown' }])
    expect([asked().length, of(events, 'completion.finished').length]).toEqual([0, 0])
  })

  test('is refused once the budget of the run is used up, which then ends the run', async () => {
    const policies = [limiting({ budget: { tokens: 25, usd: Infinity, seconds: Infinity } })]
    const { deps, got } = rig([text('One.'), text('Two.')], [{}, { prompt: 'Another.' }], {
      policies: policies as never[],
    })
    const events = await collect(deps)
    expect(got).toMatchObject([{ ok: true }, { ok: false, code: 'budget' }])
    expect(of(events, 'completion.finished')).toHaveLength(1)
    expect(endOf(events).status).toBe('budget')
  })

  test('ends with its own time limit', async () => {
    const { deps, got } = rig([['hang']], [{ timeoutSeconds: 3 }])
    await collect(deps)
    expect(got).toMatchObject([{ ok: false, code: 'timeout', message: expect.stringContaining('3 seconds') }])
  })

  test('is on record with what it used when a person cancels the run', async () => {
    const { deps } = rig([[{ type: 'text', text: 'a beginning' }, 'hang']])
    const events = await collect(deps, {
      on: (event, controller) => {
        if (event.type === 'call.started')
          void deps.clock.sleep(1_000, new AbortController().signal).then(() => controller.abort('cancel'))
      },
    })
    expect(of(events, 'completion.finished')).toMatchObject([
      { error: { code: 'aborted' }, text: 'a beginning', usage: { estimated: true } },
    ])
    expect(endOf(events)).toMatchObject({ status: 'cancelled' })
    expect(endOf(events).usage.input).toBeGreaterThan(10)
  })

  test('is on record when the time limit of its call is over', async () => {
    const { deps } = rig([[{ type: 'text', text: 'slow' }, 'hang']], [{}], { timeoutSeconds: 2 })
    const events = await collect(deps)
    expect(of(events, 'completion.finished')).toMatchObject([{ error: { code: 'aborted' } }])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'timeout' }])
  })

  test('that was answered before a crash is not asked again when the body runs again', async () => {
    const first = rig([text('One.'), ['hang']], [{}, { prompt: 'Another.' }])
    const before: Awaited<ReturnType<typeof collect>> = []
    const stopped = new AbortController()
    await collect(first.deps, {
      controller: stopped,
      on: (event, controller) => {
        if (stopped.signal.aborted) return
        before.push(event)
        if (event.type === 'completion.finished') controller.abort('drain')
      },
    })
    const again = rig([text('Two.')], [{}, { prompt: 'Another.' }])
    await collect(again.deps, { state: replay(before), resumed: 'crash' })
    expect(again.got).toMatchObject([
      { ok: true, text: 'One.' },
      { ok: true, text: 'Two.' },
    ])
    expect(again.asked()).toMatchObject([{ messages: [{ text: 'Another.' }] }])
  })

  test('has its known secrets replaced in the event', async () => {
    const redact = (given: string) => given.replaceAll('SEC', '[secret]')
    const { deps } = rig([text('It says SEC.')], [{ prompt: 'What is SEC?' }], { deps: { redact } })
    expect(JSON.stringify(of(await collect(deps), 'completion.finished'))).not.toContain('SEC')
  })
})
