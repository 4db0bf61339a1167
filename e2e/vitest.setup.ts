/** Makes an unexpected console.error fail the test it fell in. */
import { afterEach, beforeEach } from 'vitest'

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
