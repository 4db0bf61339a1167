import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { ModelRequest } from '#lib/spec/model'
import { defaultLimits } from '#lib/spec/policy'
import { request } from '../request/rerequest'
import {
  calls,
  collect,
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
} from '../rig.fixture'
import { fold } from '../state/fold'
import { keepForFork } from './fork'
import { firstEvents } from './fork-events'

const page = 'The quick brown fox reads a page. '.repeat(60)

/** The turn, with the size of the request as the provider would count it. */
function counted(asked: ModelRequest, turn: Turn): Turn {
  const input = Math.ceil(JSON.stringify(asked.messages).length / 4)
  return turn.map((beat) =>
    typeof beat === 'object' && 'type' in beat && beat.type === 'finish'
      ? { ...beat, usage: { input, output: 5 } }
      : beat,
  )
}

/** A run of 20 steps whose oldest steps are summed up by the model. */
function longRig() {
  return createRig({
    play(asked) {
      if (asked.instructions.includes('shorten the record')) return counted(asked, text('The key is 7.'))
      return counted(asked, asked.step > 20 ? text('done') : calls('page.read'))
    },
    tools: [createTool('page.read', { run: () => said(page) })],
    policies: [limiting({ maxSteps: 30, context: { ...defaultLimits.context, how: 'summarize', keep: 2 } })],
    deps: { contextWindow: 6_000, price: { input: 1, output: 1 } },
  })
}

function forked(parent: readonly RunEvent[], step: number, edit: Parameters<typeof keepForFork>[1]['edit']) {
  const kept = keepForFork(parent, { step, ...(edit && { edit }) })
  if (!kept.ok) throw new Error(kept.error.message)
  const [started] = of(parent, 'run.started')
  if (started === undefined) throw new Error('the parent has not begun')
  const { agent, input } = question
  const begin = { agent, input, threadId: 'thread_2', historyThrough: null, at: 1_900_000_000_000 }
  return firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step } }, started, kept.value)
}

describe('a fork that changes the summary of earlier steps', () => {
  test('sends the step again with the text of the person, and makes no other cut before it', async () => {
    const rig = longRig()
    const parent = await collect(rig.deps)
    const [cut] = of(parent, 'context.compacted')
    if (cut === undefined) throw new Error('the parent was not cut')
    const first = forked(parent, cut.step, { summary: 'The key is 8.' })
    const copied = first.filter(({ type }) => type === 'context.compacted')
    expect(copied).toMatchObject([{ summary: 'The key is 8.', edited: true, step: cut.step }])
    const again = longRig()
    const state = first.reduce(fold, fresh())
    const rest = await collect(again.deps, { state })
    expect(endOf(rest).status).toBe('completed')
    expect(rest.findIndex(({ type }) => type === 'context.compacted')).not.toBe(0)
    const [asked] = again.model.requests
    expect(asked?.step).toBe(cut.step)
    expect(JSON.stringify(asked?.messages)).toContain('The key is 8.')
    expect(JSON.stringify(asked?.messages).includes('The key is 7.')).toBe(false)
    // What the parent paid for its summary is not counted again.
    expect(of(rest, 'run.finished')[0]?.usage.output).toBe(5 * again.model.requests.length)
  })

  test('is refused at a step whose request had no summary', async () => {
    const parent = await collect(longRig().deps)
    expect(keepForFork(parent, { step: 1, edit: { summary: 'x' } })).toMatchObject({
      ok: false,
      error: { code: 'unprocessable', path: 'step' },
    })
  })

  test('of a result keeps the cut of its step, so that the requests before it can be built again', async () => {
    const rig = longRig()
    const parent = await collect(rig.deps)
    const step = of(parent, 'context.compacted')[0]?.step ?? 0
    const first = forked(parent, step, { callId: `call_${step}_1`, result: 'another page' })
    const state = first.reduce(fold, fresh())
    const again = longRig()
    const events = [...first, ...(await collect(again.deps, { state }))]
    const rebuilt = replay(events)
    for (const { step: at, hash } of of(events, 'model.requested')) {
      const made = request(rebuilt, again.deps, at)
      expect(made && again.deps.hash(made.body)).toBe(hash)
    }
  })
})
