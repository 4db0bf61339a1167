import { expect, test, vi } from 'vitest'
import { guardLeaving, mayLeave } from './leaving'

const here = 'http://localhost/agents/a?run=1'

test('a page with unsaved work is left by the search only when its guard lets it go', () => {
  const guard = vi.fn(() => false)
  const end = guardLeaving(guard)
  expect(mayLeave('/runs', here)).toBe(false)
  guard.mockReturnValue(true)
  expect(mayLeave('/runs', here)).toBe(true)
  guard.mockReturnValue(false)
  end()
  expect(mayLeave('/runs', here)).toBe(true)
})

test('nothing is asked where the page stays', () => {
  const guard = vi.fn(() => false)
  const end = guardLeaving(guard)
  expect(mayLeave('/agents/a#ask', here)).toBe(true)
  expect(guard).not.toHaveBeenCalled()
  end()
})
