/** Counts of passed and failed tests from the runners' JSON reports. */

/** @typedef {{ passed: number, failed: number }} Tally */

/**
 * The counts of a runner that ended with this exit code: when it failed and no test says why, that is one failure.
 * @param {Tally} counted
 * @param {number} code
 * @returns {Tally}
 */
export function withExit({ passed, failed }, code) {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed }
}

/**
 * @param {any} report vitest's JSON report; a file that did not load is one failure
 * @returns {Tally}
 */
export function vitestTally(report) {
  const files = report?.testResults ?? []
  const unloaded = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  return { passed: report?.numPassedTests ?? 0, failed: (report?.numFailedTests ?? 0) + unloaded }
}

/**
 * @param {any} report Playwright's JSON report; a test that passed only at a second try counts as passed
 * @returns {Tally}
 */
export function playwrightTally(report) {
  const { expected = 0, flaky = 0, unexpected = 0 } = report?.stats ?? {}
  return { passed: expected + flaky, failed: unexpected }
}

/**
 * The line that sums all up.
 * @param {readonly Tally[]} tallies
 */
export function summary(tallies) {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0)
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0)
  return `${passed} passed, ${failed} failed`
}
