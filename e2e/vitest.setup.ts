/**
 * Makes an unexpected console.error fail its test, and shared state that a test file leaves changed fail the
 * file.
 */
import { afterAll, afterEach, beforeEach, vi } from 'vitest'

const real = console.error
let said: unknown[][] = []

beforeEach(() => {
  said = []
  console.error = (...words: unknown[]) => {
    said.push(words)
    real(...words)
  }
})

afterEach(() => {
  console.error = real
  if (said.length === 0) return
  throw new Error(`console.error was called: ${said.map((words) => words.map(String).join(' ')).join('\n')}`)
})

/** State that all files of a process share and a test may change. */
function sharedState(): Map<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(globalThis),
    ['Date', Date],
    ['console.error', console.error],
    ['process.env', JSON.stringify(process.env)],
    ['process.cwd()', process.cwd()],
    ['vi.isFakeTimers()', vi.isFakeTimers()],
  ])
}

const before = sharedState()

afterAll(() => {
  const after = sharedState()
  // New globals do not count: a library adds its own when it is first loaded.
  const changed = [...before.keys()].filter((name) => before.get(name) !== after.get(name))
  if (changed.length > 0) throw new Error(`This file leaves changed for the next: ${changed.join(', ')}`)
})
