/** An answer that was cut off at its length limit, and is continued where the finish policy says so. */
import { expect, test } from 'vitest'
import type { BoundPolicy, Limits } from '#lib/spec/policy'
import {
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
  type Turn,
  text,
} from './rig.fixture'
import { run } from './run'
import { messagesOf } from './state/dialogue'
import { fold, streamingText } from './state/fold'

const look = () => createTool('look')
const cut = (words: string): Turn => [{ type: 'text', text: words }, finish('length')]
const badRequest = { code: 'bad_request', message: 'No.' } as const
const goingOn = (most: number, more: Partial<Limits> = {}) => [limiting({ continues: most, ...more })]

test('S0-33 is gone on with where the finish policy says so, and becomes one answer (E-31)', async () => {
  const play = [cut('It is for'), cut('ty-t'), text('wo.')]
  const { deps, model } = createRig({ play, policies: goingOn(2) })
  const events = await collect(deps)
  expect(endOf(events)).toMatchObject({
    status: 'completed',
    answer: 'It is forty-two.',
    error: null,
    steps: 3,
  })
  expect(of(events, 'step.started').map(({ continues }) => continues)).toEqual([undefined, true, true])
  expect(model.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', parts: [{ text: 'It is for' }] },
    { role: 'user', text: expect.stringContaining('cut off') },
  ])
  const state = replay(events)
  expect(state.messages).toHaveLength(6)
  // The next run of the thread gets one question and one answer.
  expect(messagesOf(state).slice(1)).toEqual([
    { role: 'assistant', parts: [{ type: 'text', text: 'It is forty-two.' }] },
  ])
})

test('S0-33 as often as it says, or as steps are left, then it is marked as cut off', async () => {
  const rig = (policies: BoundPolicy[]) => createRig({ play: () => cut('on '), policies }).deps
  expect(endOf(await collect(rig(goingOn(2))))).toMatchObject({
    status: 'completed',
    answer: 'on on on ',
    error: { code: 'truncated' },
  })
  expect(endOf(await collect(rig(goingOn(25, { maxSteps: 2 }))))).toMatchObject({
    status: 'completed',
    answer: 'on on ',
    error: { code: 'truncated' },
  })
})

test('S0-33 with nothing more to say it is kept, and marked as cut off', async () => {
  const { deps } = createRig({ play: [cut('It is '), text(''), text('')], policies: goingOn(3) })
  expect(endOf(await collect(deps))).toMatchObject({
    status: 'completed',
    answer: 'It is ',
    error: { code: 'truncated' },
  })
})

test('S0-33 with calls instead it is a thought, and the run goes on', async () => {
  const play = [cut('I shall '), calls('look'), text('So it is.')]
  const { deps } = createRig({ play, tools: [look()], policies: goingOn(3) })
  expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: 'So it is.', steps: 3 })
})

test('S0-33 the next run of the thread reads no word of how it was gone on with, whatever came of it', async () => {
  const rig = (play: Turn[]) =>
    createRig({ play, tools: [look()], policies: goingOn(3), deps: { report: () => undefined } }).deps
  const told = async (play: Turn[]) => messagesOf(replay(await collect(rig(play)))).slice(1)
  const called = await told([cut('I shall '), [...text('look').slice(0, -1), ...calls('look')], text('So.')])
  expect(called.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant'])
  expect(called[0]).toMatchObject({ parts: [{ text: 'I shall look' }, { type: 'call' }] })
  const faulty: Turn = [
    { type: 'text', text: 'half' },
    { type: 'fault', fault: { ...badRequest } },
  ]
  const events = await collect(rig([cut('Part one '), faulty]))
  // The text before the fault is kept, and the text of the failed continuation is not.
  expect(endOf(events)).toMatchObject({ status: 'failed', answer: 'Part one ' })
  expect(messagesOf(replay(events)).slice(1)).toEqual([
    { role: 'assistant', parts: [{ type: 'text', text: 'Part one ' }] },
  ])
})

test('S0-33 on screen its words never become fewer', async () => {
  const { deps } = createRig({ play: [cut('It is '), cut('forty-'), text('two.')], policies: goingOn(3) })
  const state = fresh()
  let seen = ''
  for (const event of await collect(deps)) {
    fold(state, event)
    const step = state.steps.at(-1)
    const now = step === undefined ? '' : streamingText(step)
    expect(now.startsWith(seen), event.type).toBe(true)
    seen = now
  }
  expect(seen).toBe('It is forty-two.')
})

test('S0-33 where words end nothing, they are not gone on with', async () => {
  const finishing = createTool('finish', { ends: true })
  const { deps } = createRig({
    play: [cut('I think '), calls('finish')],
    tools: [finishing],
    policies: goingOn(2, { finish: 'finish_tool' }),
  })
  expect(of(await collect(deps), 'step.started').map(({ continues }) => continues)).toEqual([
    undefined,
    undefined,
  ])
})

test('S0-33 cut off by a person while it goes on, what was said by then is the answer', async () => {
  const stop = new AbortController()
  const play = [cut('It is for'), [{ type: 'text', text: 'ty' }, 'hang'] satisfies Turn]
  const { deps } = createRig({ play, policies: goingOn(3) })
  const state = fresh()
  for await (const event of run(state, deps, stop.signal))
    if (event.type === 'text.delta' && event.step === 2) stop.abort('cancel')
  expect(state).toMatchObject({ status: 'cancelled', answer: 'It is forty' })
  expect(messagesOf(state).at(-1)).toEqual({
    role: 'assistant',
    parts: [{ type: 'text', text: 'It is forty' }],
  })
})

test('S0-33 the parts of an output are joined before it is read', async () => {
  const schema = { type: 'object', properties: { figure: { type: 'number' } }, required: ['figure'] }
  const { deps, model } = createRig({
    play: [text('none'), cut('{"fig'), text('ure": 42}')],
    policies: goingOn(2),
    deps: { output: schema },
  })
  expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', output: { figure: 42 } })
  expect(model.requests).toHaveLength(3)
})
