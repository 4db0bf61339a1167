/** What a person says to a run that is under way, and when the model reads it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import { emitter } from './engine'
import { keepForFork } from './fork/fork'
import { ownMessages } from './request/own-messages'
import { request } from './request/rerequest'
import {
  calls,
  createRig,
  createTool,
  endOf,
  finish,
  fresh,
  type Given,
  limiting,
  of,
  replay,
  text,
  unpaired,
} from './rig.fixture'
import { run } from './run'
import { messagesOf } from './state/dialogue'

interface Steered {
  readonly events: RunEvent[]
  readonly state: RunState
  readonly requests: readonly { readonly messages: readonly Message[] }[]
  readonly deps: ReturnType<typeof createRig>['deps']
}

/** Runs to the end; after an event for which `says` returns words, a person says them. */
async function runAndSay(given: Given, says: (event: RunEvent) => readonly string[]): Promise<Steered> {
  const { deps, model, clock } = createRig(given)
  const state = fresh()
  const say = emitter(state, { clock })
  const events: RunEvent[] = []
  for await (const event of run(state, deps, new AbortController().signal)) {
    events.push(event)
    if (state.finishedAt !== undefined) continue
    for (const words of says(event)) events.push(say({ type: 'run.steered', text: words }))
  }
  return { events, state, requests: model.requests, deps }
}

const at = (type: RunEvent['type'], step: number, ...words: string[]) => {
  return (event: RunEvent) => (event.type === type && event.step === step ? words : [])
}
const user = (words: string): Message => ({ role: 'user', text: words })
const look = () => createTool('look')

describe('a message to a run that is under way (E-37)', () => {
  it('is read at the next step, after all results of the step before, in the order in which it was said', async () => {
    let said = false
    const { requests, events, state } = await runAndSay(
      { play: [calls('look', 'look'), text('Both.')], tools: [look()] },
      (event) => {
        if (said || event.type !== 'call.started') return []
        said = true
        return ['Only Europe.', 'And last year.']
      },
    )
    const [, second] = requests
    expect(second?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'user',
    ])
    expect(second?.messages.slice(-2)).toEqual([user('Only Europe.'), user('And last year.')])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Both.' })
    expect(state.steps[1]?.steered).toMatchObject([{ text: 'Only Europe.' }, { text: 'And last year.' }])
    expect(state.steered).toBeUndefined()
  })

  it('makes a run that was about to end take one more step', async () => {
    const { events, requests } = await runAndSay(
      { play: [text('Forty.'), text('Forty-two.')] },
      at('model.answered', 1, 'Are you sure?'),
    )
    expect(requests[1]?.messages).toEqual([
      user('How much?'),
      { role: 'assistant', parts: [{ type: 'text', text: 'Forty.' }] },
      user('Are you sure?'),
    ])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Forty-two.', steps: 2 })
  })

  it('is not read by a run without a step left, which keeps its answer', async () => {
    const { events, state } = await runAndSay(
      { play: [text('Forty.')], policies: [limiting({ maxSteps: 1 })] },
      at('model.answered', 1, 'Are you sure?'),
    )
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Forty.', steps: 1 })
    expect(state.steered).toMatchObject([{ text: 'Are you sure?' }])
    expect(messagesOf(state)).not.toContainEqual(user('Are you sure?'))
  })

  it('does not come between an answer that was cut off and its continuation', async () => {
    const { events, requests } = await runAndSay(
      {
        play: [[{ type: 'text', text: 'For' }, finish('length')], text('ty.'), text('Yes, forty.')],
        policies: [limiting({ continues: 2 })],
      },
      at('model.answered', 1, 'Are you sure?'),
    )
    expect(requests[1]?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('cut off') })
    expect(requests[2]?.messages.at(-1)).toEqual(user('Are you sure?'))
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'Yes, forty.' })
  })

  it('is in the closing answer of a run that reached its step limit', async () => {
    const { requests, events } = await runAndSay(
      {
        play: [calls('look'), text('So far.')],
        tools: [look()],
        policies: [limiting({ maxSteps: 1, onLimit: 'summarize' })],
      },
      at('call.finished', 1, 'Hurry.'),
    )
    expect(requests[1]?.messages).toContainEqual(user('Hurry.'))
    expect(endOf(events)).toMatchObject({ status: 'max_steps', answer: 'So far.' })
  })

  it('is the same for a replay, and the exact request of each step is built again', async () => {
    const { events, state, deps } = await runAndSay(
      { play: [calls('look'), calls('look'), text('Done.')], tools: [look()] },
      at('model.requested', 2, 'Only Europe.'),
    )
    const again = replay(events)
    expect(again.messages).toEqual(state.messages)
    for (const { step, hash } of of(events, 'model.requested'))
      expect(deps.hash(request(again, deps, step)?.body ?? '')).toBe(hash)
    expect(messagesOf(again)).toContainEqual(user('Only Europe.'))
  })

  it('is kept by a fork from a later step, and not by one from an earlier step', async () => {
    const { events } = await runAndSay(
      { play: [calls('look'), calls('look'), text('Done.')], tools: [look()] },
      at('call.finished', 2, 'Only Europe.'),
    )
    const wordsKept = (step: number) => {
      const kept = keepForFork(events, { step })
      return kept.ok ? of(kept.value, 'run.steered').length : undefined
    }
    expect(wordsKept(3)).toBe(1)
    expect(wordsKept(2)).toBe(0)
  })

  it('stays word for word where the steps before are replaced by a summary', async () => {
    const { state } = await runAndSay(
      { play: [calls('look'), calls('look'), calls('look'), text('Done.')], tools: [look()] },
      (event) => [
        ...at('call.finished', 1, 'Only Europe.')(event),
        ...at('call.finished', 2, 'In euros.')(event),
      ],
    )
    const cuts = { through: 2, summary: 'Two looks.', cleared: new Set<string>(), count: 1 }
    const { messages } = ownMessages(state)(state.steps[3]?.messagesBefore ?? 0, cuts)
    const words = messages.flatMap((each) => (each.role === 'user' ? [each.text] : []))
    expect(words).toEqual(['How much?', 'Only Europe.', expect.stringContaining('Two looks.'), 'In euros.'])
  })

  it('is read exactly once, and never between a call and its result, whenever it is said', async () => {
    const moments = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(moments, async (said) => {
        let seen = 0
        const { state, requests } = await runAndSay(
          {
            play: [calls('look', 'look'), calls('look'), ...Array.from({ length: 12 }, () => text('So.'))],
            tools: [look()],
          },
          () => {
            seen += 1
            return said.flatMap((moment, index) => (moment === seen ? [`word ${index}`] : []))
          },
        )
        for (const { messages } of requests) expect(unpaired(messages)).toEqual([])
        const read = state.messages.flatMap((each) =>
          each.role === 'user' && each.text.startsWith('word') ? [each.text] : [],
        )
        const spoken = said.flatMap((moment, index) =>
          moment <= seen ? [{ moment, word: `word ${index}` }] : [],
        )
        const order = spoken.toSorted((a, b) => a.moment - b.moment).map(({ word }) => word)
        expect(read).toEqual(order)
        expect(state.steered).toBeUndefined()
      }),
      { numRuns: 40 },
    )
  })
})
