/** The counts behind the last line of `npm test`. */
import { expect, test } from 'vitest'
import { playwrightTally, summary, vitestTally, withExit } from './tally.mjs'

test('a unit test file that did not load is one failure', () => {
  const testResults = [
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
  ]
  expect(vitestTally({ numPassedTests: 2, numFailedTests: 1, testResults })).toEqual({ passed: 2, failed: 2 })
})

test('a browser test that needed a second try counts as passed', () => {
  expect(playwrightTally({ stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 4 } })).toEqual({
    passed: 4,
    failed: 2,
  })
})

test('a runner that crashed without a report is one failure', () => {
  expect(withExit(vitestTally(undefined), 1)).toEqual({ passed: 0, failed: 1 })
  expect(withExit(playwrightTally(undefined), 124)).toEqual({ passed: 0, failed: 1 })
  expect(withExit({ passed: 3, failed: 2 }, 1)).toEqual({ passed: 3, failed: 2 })
  expect(withExit({ passed: 3, failed: 0 }, 0)).toEqual({ passed: 3, failed: 0 })
})

test('the last line has one form', () => {
  expect(
    summary([
      { passed: 1, failed: 0 },
      { passed: 20, failed: 3 },
    ]),
  ).toBe('21 passed, 3 failed')
})
