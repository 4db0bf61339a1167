/** Counts the passed and failed tests in the runners' JSON reports. */
import {
  ending,
  isBroken,
  playwrightFailures,
  playwrightSpared,
  uncaught,
  vitestFailures,
} from './failures.mjs'

/**
 * @typedef {import('./failures.mjs').Failure} Failure
 * @typedef {{ passed: number, failed: number, failures: Failure[], spared?: Failure[] }} Tally `spared`
 *   tests failed first and passed at a second try
 */

/**
 * The counts of a runner that ended with this exit code. If it failed but no test did,
 * that counts as one failure.
 * @param {Tally} counted
 * @param {{ name: string, code: number, output?: string }} ended `output` is what it wrote
 * @returns {Tally}
 */
export function withExit(counted, { name, code, output = '' }) {
  if (code === 0 || counted.failed > 0) return counted
  const failures = counted.failures.length > 0 ? counted.failures : [ending(name, output)]
  return { ...counted, failed: 1, failures }
}

/**
 * @param {{ report: any, output?: string }} ran vitest's JSON report and output; a file that
 *   did not load is one failure
 * @returns {Tally}
 */
export function vitestTally({ report, output = '' }) {
  const tests = (report?.testResults ?? []).flatMap((file) => file.assertionResults)
  const failures = vitestFailures(report)
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failures.length,
    failures: [...failures, ...uncaught(output)],
  }
}

/**
 * @param {any} report Playwright's JSON report; a test that passed only at a second try counts as passed
 * @returns {Tally}
 */
export function playwrightTally(report) {
  const { expected = 0, flaky = 0, unexpected = 0 } = report?.stats ?? {}
  return {
    passed: expected + flaky,
    failed: unexpected,
    failures: playwrightFailures(report),
    spared: playwrightSpared(report),
  }
}

// A counterexample is a fact about the code, even if the next random values do not find it.
const isLuck = (test) =>
  test.status === 'failed' && !test.failureMessages.some((text) => text.includes('Property failed after'))

/**
 * The unit test files worth a second try, because a busy machine may have made them fail. Empty if an error
 * was not caught by any test: the run then fails whatever its tests do.
 * @param {{ report: any, output?: string }} first vitest's JSON report and output
 * @returns {string[]} absolute paths
 */
export function toTryAgain({ report, output = '' }) {
  if (uncaught(output).length > 0) return []
  const files = report?.testResults ?? []
  return files.filter((file) => isBroken(file) || file.assertionResults.some(isLuck)).map(({ name }) => name)
}

function settled(first, second) {
  if (isBroken(first)) return second.status === 'passed' ? second : first
  const held = new Set(second.assertionResults.map((test) => test.fullName))
  for (const test of second.assertionResults) if (test.status !== 'passed') held.delete(test.fullName)
  const assertionResults = first.assertionResults.map((test) =>
    isLuck(test) && held.has(test.fullName) ? { ...test, status: 'passed' } : test,
  )
  const isFailed = isBroken(second) || assertionResults.some((test) => test.status === 'failed')
  return { ...second, assertionResults, status: isFailed ? 'failed' : 'passed' }
}

/**
 * Merges two tries: a failed test that passed the second time counts as passed.
 * @param {{ report: any }} first vitest's JSON report
 * @param {{ report: any, output?: string, code?: number }} second the run of the files of `toTryAgain`: its
 *   report (if any), output and exit code
 * @returns {Tally} with the first errors of the tests that passed the second time
 */
export function twoTries(first, second) {
  // The second run failed although none of its tests did, so it cannot correct the first.
  const isUnsound = (second.code ?? 0) !== 0 && vitestFailures(second.report).length === 0
  if (isUnsound || uncaught(second.output ?? '').length > 0) return vitestTally(first)
  const again = new Map((second.report?.testResults ?? []).map((file) => [file.name, file]))
  const testResults = first.report.testResults.map((file) =>
    again.has(file.name) ? settled(file, again.get(file.name)) : file,
  )
  const tally = vitestTally({ report: { testResults } })
  const place = ({ file, test }) => JSON.stringify([file, test])
  const failed = new Set(tally.failures.map(place))
  return { ...tally, spared: vitestFailures(first.report).filter((each) => !failed.has(place(each))) }
}

/**
 * The line with the totals.
 * @param {readonly Pick<Tally, 'passed' | 'failed'>[]} tallies
 */
export function summary(tallies) {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  return `${passed} passed, ${failed} failed`
}
