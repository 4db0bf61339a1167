/** A tool's note to the model: sent with the next request alone, and never part of what a user reads. */
import { expect, test } from 'vitest'
import type { ToolOutput } from '#lib/spec/tool'
import { keepForFork } from '../fork/fork'
import { calls, collect, createPolicy, createRig, createTool, endOf, of, replay, text } from '../rig.fixture'
import { closeAfterEach, stage } from './hooks.fixture'

closeAfterEach()

const noting = (name: string, note: unknown, rest: Partial<ToolOutput> = {}) =>
  createTool(name, {
    cache: true,
    run: () => ({ ok: true, blocks: [{ type: 'text', text: 'seen' }], note, ...rest }) as ToolOutput, // cast: a tool may return this
  })
const noteMessages = (messages: readonly { role: string }[] = []) =>
  messages.filter((each) => 'text' in each && String(each.text).startsWith('Note from'))

test('S0-04 a note follows the results in the next request alone, and stands in no answer and no history', async () => {
  const { deps, model } = createRig({
    play: [calls('look', 'ask'), calls('plain'), text('The end.')],
    tools: [
      noting('look', 'only the first page'),
      noting('ask', 'be quick', { ok: false, message: 'no' }),
      createTool('plain'),
    ],
  })
  const events = await collect(deps)
  const [first, second, third] = model.requests
  expect([first, third].map((each) => noteMessages(each?.messages))).toEqual([[], []])
  expect(second?.messages.at(-1)).toEqual({
    role: 'user',
    text: 'Note from the tool look: only the first page\n\nNote from the tool ask: be quick',
  })
  expect(of(events, 'call.finished').map(({ note, result }) => [note, result.text])).toEqual([
    ['only the first page', 'seen'],
    ['be quick', 'Error: no'],
    [undefined, 'done'],
  ])
  expect(endOf(events).answer).toBe('The end.')
  const state = replay(events)
  expect(JSON.stringify(state.messages)).not.toContain('first page')
  expect(state.calls.get('call_1_1')?.note).toBe('only the first page')
})

test('S0-04 a note is cut, secrets and masked words are not in it, and one that is no text is none', async () => {
  const masks = [{ isByLine: true, mask: (given: string) => given.replaceAll('a@b.c', '[email]') }]
  const { deps } = createRig({
    play: [calls('look', 'odd', 'long'), text('ok')],
    tools: [
      noting('look', 'from a@b.c with sk-1'),
      noting('odd', { a: 1 }),
      noting('long', 'x'.repeat(5_000)),
    ],
    policies: [
      createPolicy('mask', 'policies/1', { limitTool: (all) => void Object.assign(all, { masks }) }),
    ],
    deps: { redact: (given) => given.replaceAll('sk-1', '[secret]') },
  })
  const notes = of(await collect(deps), 'call.finished').map(({ note }) => note)
  expect(notes.slice(0, 2)).toEqual(['from [email] with [secret]', undefined])
  expect(notes[2]).toMatch(/^x{4000}\n\.\.\. \(1000 more/)
})

test('S0-04 an equal call that is answered from the cache has the note again', async () => {
  const { deps, model } = createRig({
    play: [calls('look'), calls('look'), text('ok')],
    tools: [noting('look', 'old data')],
  })
  const events = await collect(deps)
  expect(of(events, 'call.finished').map(({ cached, note }) => [cached, note])).toEqual([
    [undefined, 'old data'],
    [true, 'old data'],
  ])
  expect(noteMessages(model.requests[2]?.messages)).toHaveLength(1)
})

test('S0-04 a result that a hook withholds, or that a person replaces in a fork, has no note', async () => {
  const rig = await stage({
    hooks: [{ on: 'post_acting' }],
    answer: () => ({ decision: 'deny', reason: 'it names people' }),
    play: [calls('look'), text('ok')],
    tools: [noting('look', 'a name')],
  })
  expect(JSON.stringify([await collect(rig.deps), rig.model.requests])).not.toContain('a name')
  const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [noting('look', 'a name')] })
  const kept = keepForFork(await collect(deps), { step: 1, edit: { callId: 'call_1_1', result: 'mine' } })
  expect(kept.ok && kept.value.length > 0).toBe(true)
  expect(JSON.stringify(kept)).not.toContain('a name')
})
