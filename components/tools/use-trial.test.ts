import { expect, it } from 'vitest'
import type { TryEvent } from '#lib/wire/trials'
import { reduceTrial, type TrialState } from './use-trial'

const idle: TrialState = {
  ...{ phase: 'idle', startedAt: 0, text: '', blocks: null, wait: null },
  ...{ files: [], questions: [], done: null, past: null, error: null },
}
const done = {
  type: 'done',
  tried: { id: 'try_1', at: 5, args: {}, status: 'ok', code: null, durationMs: 1, result: [] },
  cut: [],
} as const satisfies TryEvent

function after(...events: readonly TryEvent[]): TrialState {
  const begun = reduceTrial(idle, { do: 'begin', at: 4 })
  return events.reduce((state, event) => reduceTrial(state, { do: 'event', event }), begun)
}

it('issue 18.8 appends text, and blocks take its place', () => {
  const text = (value: string) => ({ type: 'progress', text: value }) as const
  expect(after(text('a'), text('b'))).toMatchObject({ phase: 'running', text: 'ab' })
  const blocks = [{ type: 'text' as const, text: 'shown' }]
  expect(after(text('a'), { type: 'shown', blocks })).toMatchObject({ text: '', blocks })
})

it('issue 18.8 keeps the result when the stream ends, and forgets it when the next try begins', () => {
  const over = reduceTrial(after(done), { do: 'end', error: null })
  expect(over).toMatchObject({ phase: 'over', done })
  expect(reduceTrial(over, { do: 'begin', at: 9 })).toMatchObject({ phase: 'running', done: null })
})

it('issue 18.8 shows an earlier try in place of the last result', () => {
  expect(reduceTrial(after(done), { do: 'show', past: done.tried })).toEqual({ ...idle, past: done.tried })
})

it('issue 18.8 shows the questions of a tool until they are answered, or the try is over', () => {
  const asks = (questionId: string) =>
    ({
      type: 'asks',
      ...{ tryId: 'try_1', questionId, tool: 'human.ask' },
      input: { inputId: 'question', from: 'tool', question: 'Which city?' },
    }) as const
  const waiting = after(asks('a'), asks('b'), { type: 'answered', questionId: 'a' })
  expect(waiting.questions).toEqual([asks('b')])
  expect(reduceTrial(waiting, { do: 'end', error: null }).questions).toEqual([])
})
