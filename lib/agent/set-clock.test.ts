/**
 * What a run does when somebody sets the machine's clock: its durations follow the time that really passed.
 */
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import {
  type Beat,
  calls,
  collect,
  createClock,
  createRig,
  createTool,
  endOf,
  finish,
  limiting,
  of,
  replay,
  said,
  type Turn,
  text,
} from './rig.fixture'

const hour = 3_600_000
const day = 24 * hour

/** A clock that can be set, as a person or the network sets a machine's clock. */
function settable() {
  const clock = createClock()
  let ahead = 0
  return {
    clock: { ...clock, now: () => clock.now() + ahead },
    set: (ms: number) => {
      ahead += ms
    },
    passed: () => clock.monotonic(),
  }
}

const slow = (ms: number): Turn => [{ type: 'text', text: 'a' }, { waitMs: ms }, finish('stop')]
const within = (seconds: number) =>
  limiting({ budget: { seconds, tokens: Number.POSITIVE_INFINITY, usd: Number.POSITIVE_INFINITY } })

function rigOf(play: Turn[], seconds: number, given = settable()) {
  const look = createTool('look', { run: (_, { now }) => said(new Date(now()).toISOString()) })
  const { deps } = createRig({
    play,
    tools: [look],
    policies: [within(seconds)],
    deps: { clock: given.clock },
  })
  // The model stand-in waits by the same clock.
  const stream = async function* (body: string, signal: AbortSignal) {
    const { step }: { step: number } = JSON.parse(body)
    const beats: readonly Beat[] = play[step - 1] ?? text('done')
    for (const beat of beats) {
      if (beat === 'hang') continue
      if ('waitMs' in beat) await given.clock.sleep(beat.waitMs, signal)
      else yield beat
    }
  }
  return { ...given, deps: { ...deps, model: { ...deps.model, stream } } }
}

describe('set while a run is at work', () => {
  test.each([
    ['an hour forward', hour],
    ['a day back', -day],
  ])('%s, it uses nothing of the budget up and gives nothing back', async (_, jump) => {
    const { deps, set, passed } = rigOf([calls('look'), slow(20_000), text('ok')], 30)
    const well = await collect(deps, { on: ({ type }) => type === 'call.started' && set(jump) })
    expect(endOf(well).status).toBe('completed')
    expect(endOf(well).finishedAt - endOf(well).startedAt).toBe(passed())

    const late = rigOf([calls('look'), slow(20 * hour)], 30)
    const over = await collect(
      { ...late.deps, modelTimeoutSeconds: 200_000 },
      { on: ({ type }) => type === 'call.started' && late.set(jump) },
    )
    expect(endOf(over).status).toBe('budget')
    expect(late.passed()).toBe(30_000)
  })

  test('it is what a tool is told that asks for the time', async () => {
    const { deps, set, clock } = rigOf([calls('look'), text('ok')], 30)
    const from = clock.now()
    const events = await collect(deps, { on: ({ type }) => type === 'model.answered' && set(hour) })
    expect(of(events, 'call.finished')[0]?.result.text).toBe(new Date(from + hour).toISOString())
  })
})

describe('set while the server is away', () => {
  /** The events of a run that was stopped during its second answer, after ten seconds. */
  async function stopped(seconds: number) {
    const rig = rigOf([[...slow(10_000).slice(0, 2), ...calls('look')], slow(20_000), text('ok')], seconds)
    const events: RunEvent[] = []
    const controller = new AbortController()
    await collect(rig.deps, {
      controller,
      on: (event) => {
        events.push(event)
        if (event.type === 'model.requested' && event.step === 2) controller.abort('drain')
      },
    })
    return { ...rig, events }
  }

  test.each([
    ['a day forward', day],
    ['a month forward', 30 * day],
  ])('%s, a minute at most of it counts', async (_, jump) => {
    const well = await stopped(95)
    well.set(jump)
    const rest = await collect(well.deps, { state: replay(well.events), resumed: 'drain' })
    expect(endOf(rest).status).toBe('completed')

    const short = await stopped(60)
    short.set(jump)
    const over = await collect(short.deps, { state: replay(short.events), resumed: 'drain' })
    expect(endOf(over).status).toBe('budget')
  })

  test('a day back, the budget ends when its seconds have passed, and not a day later', async () => {
    const { deps, set, events, passed } = await stopped(25)
    set(-day)
    const before = passed()
    const rest = await collect(deps, { state: replay(events), resumed: 'drain' })
    expect(endOf(rest).status).toBe('budget')
    expect(passed() - before).toBe(15_000)
    expect(rest.every((event, index) => event.at >= (rest[index - 1]?.at ?? 0))).toBe(true)
  })
})
