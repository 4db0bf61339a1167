/** The real clock resolves an aborted sleep, where the stand-in rejects it. */
import { describe, expect, test } from 'vitest'
import type { Clock } from '../deps'
import { budgeting, retrying } from '../policies.fixture'
import { calls, collect, createClock, createRig, createTool, endOf, of, text } from '../rig.fixture'

/** Throws after more sleeps than any of these runs needs, where the code would otherwise loop for ever. */
function quiet(clock: Clock = createClock()): Clock & { readonly sleeps: number } {
  let sleeps = 0
  return {
    get sleeps() {
      return sleeps
    },
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    async sleep(ms, signal) {
      sleeps += 1
      if (sleeps > 200) throw new Error('too many sleeps')
      await clock.sleep(ms, signal).catch(() => undefined)
    },
  }
}

describe('a sleep that ends early without a word', () => {
  test('does not begin a body again after a cancel in the wait between two tries', async () => {
    const look = createTool('look', {
      run: () => ({ ok: false, message: 'busy', code: 'busy', retryable: true }),
    })
    const { deps } = createRig({
      play: [calls('look')],
      tools: [look],
      policies: [retrying(3, 60_000)],
      deps: { clock: quiet() },
    })
    const events = await collect(deps, {
      on: ({ type }, controller) => type === 'call.progressed' && controller.abort('cancel'),
    })
    expect(look.ran).toEqual(['call_1_1'])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(endOf(events).status).toBe('cancelled')
  })

  test('lets go of the clock of a budget of time when the run has ended', async () => {
    const clock = quiet()
    const { deps } = createRig({
      play: [text('ok')],
      policies: [budgeting({ seconds: 10 })],
      deps: { clock },
    })
    expect(endOf(await collect(deps)).status).toBe('completed')
    await new Promise(setImmediate)
    expect(clock.sleeps).toBeLessThan(10)
  })
})
