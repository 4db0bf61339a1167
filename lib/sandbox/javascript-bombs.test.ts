/**
 * Bombs meet the limits of QuickJS and of its process, which are the same with and without the system's sandbox,
 * so they run in a process alone. In a file of their own they run beside the other attacks.
 */
import { afterAll, describe, it, vi } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { createJavascript } from './javascript'
import { watchChildren } from './javascript.fixture'
import { type Attack, bombs } from './javascript-attacks.fixture'
import { expectNoTrace, plantCanary } from './javascript-canary.fixture'

vi.setConfig({ testTimeout: 40_000 })

/** A short time limit for attacks that would never end. */
const limitOf = ({ outcome }: Attack) => ('code' in outcome && outcome.code === 'timeout' ? 1_500 : 20_000)

/** One of each three is tried in a quick run. */
const few = bombs.filter((_, index) => index % 3 === 0)

const canary = plantCanary()

describe('foreign JavaScript in a process alone', () => {
  const port = createJavascript(async () => undefined)
  const children = watchChildren()
  afterAll(() => {
    port.close()
    children.stop()
  })

  it.each(isDeep ? bombs : few)('T53 S0-23 outlives a bomb: $name @deep', (bomb) =>
    canary.attempt(port, bomb, limitOf(bomb)),
  )

  it('T5 the bombs left no process, and no mark on what comes after', () =>
    expectNoTrace(port, children.living))
})
