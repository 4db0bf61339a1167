/** Reads the failed tests from the runners' JSON reports and formats them for the end of a log. */
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { root } from './place.mjs'

/**
 * @typedef {{ suite: string, file?: string, test?: string, error: string }} Failure without `file` the
 *   suite itself failed, without `test` the file did
 */

const MOST_LINES = 15

function tidy(text) {
  return (
    stripVTControlCharacters(text ?? '')
      // Vitest's report has this text for a test that ran out of time.
      .replace(/^Error: STACK_TRACE_ERROR$/m, 'Error: timed out')
      .replace(/^ +at (?:.*\/node_modules\/.*|new Promise \(<anonymous>\))\n?/gm, '')
      .trim()
  )
}

/**
 * Whether the file failed although none of its tests did: it did not load, or code outside its tests threw.
 * @param {any} file of vitest's JSON report
 */
export function isBroken(file) {
  return file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
}

/**
 * @param {any} report vitest's JSON report
 * @returns {Failure[]}
 */
export function vitestFailures(report) {
  return (report?.testResults ?? []).flatMap((result) => {
    const told = { suite: 'unit', file: path.relative(root, result.name) }
    if (isBroken(result)) return [{ ...told, error: tidy(result.message) }]
    return result.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => ({
        ...told,
        test: [...test.ancestorTitles, test.title].filter(Boolean).join(' › '),
        error: tidy(test.failureMessages[0]),
      }))
  })
}

function playwrightSuite(suite, titles, status) {
  const specs = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === status)
      .map((test) => ({
        suite: 'e2e',
        file: path.join('e2e', spec.file),
        test: [...titles, spec.title].join(' › '),
        error: tidy(test.results.find((result) => result.error)?.error.message),
      })),
  )
  const inner = (suite.suites ?? []).flatMap((each) => playwrightSuite(each, [...titles, each.title], status))
  return [...specs, ...inner]
}

/**
 * @param {any} report Playwright's JSON report
 * @returns {Failure[]} the failed tests, then the errors outside of tests
 */
export function playwrightFailures(report) {
  const outside = (report?.errors ?? []).map((error) => ({ suite: 'e2e', error: tidy(error.message) }))
  return [...testsOf(report, 'unexpected'), ...outside]
}

/**
 * @param {any} report Playwright's JSON report
 * @returns {Failure[]} the first errors of the tests that passed only at a second try
 */
export function playwrightSpared(report) {
  return testsOf(report, 'flaky')
}

function testsOf(report, status) {
  return (report?.suites ?? []).flatMap((suite) => playwrightSuite(suite, [], status))
}

/**
 * The errors of a unit run that no test caught; no JSON report has them.
 * @param {string} output what vitest wrote
 * @returns {Failure[]} one at most
 */
export function uncaught(output) {
  const plain = stripVTControlCharacters(output)
  const at = plain.search(/^[^\w\n]*Unhandled (?:Errors?|Rejection)[^\w\n]*$/m)
  return at < 0 ? [] : [{ suite: 'unit', error: tidy(plain.slice(at)) }]
}

/**
 * The failure of a checker that reads all files. It writes each error with its place, so
 * the first lines are kept.
 * @param {string} suite
 * @param {string} output
 * @returns {Failure}
 */
export function found(suite, output) {
  return { suite, error: tidy(output) }
}

/**
 * The failure of a suite without a report of the reason: the end of its output.
 * @param {string} suite
 * @param {string} output
 * @returns {Failure}
 */
export function ending(suite, output) {
  return { suite, error: tidy(output).split('\n').slice(-MOST_LINES).join('\n') }
}

function story({ suite, file, test, error }) {
  const head = [suite, [file, test].filter(Boolean).join(' › ')].filter(Boolean).join('  ')
  const lines = error.split('\n').slice(0, MOST_LINES)
  return [head, ...lines.filter(Boolean).map((line) => `    ${line}`)].join('\n')
}

/**
 * The end of a log: each test that failed, and each that passed only at a second try.
 * @param {readonly { failures?: readonly Failure[], spared?: readonly Failure[] }[]} tallies
 * @returns {string} with the line ends that separate it from what follows; empty if
 *   everything passed at once
 */
export function told(tallies) {
  const spared = tallies.flatMap((tally) => tally.spared ?? [])
  const failed = tallies.flatMap((tally) => tally.failures ?? [])
  return [
    ...spared.map((failure) => `passed on a second try: ${story(failure)}`),
    ...failed.map((failure) => `failed: ${story(failure)}`),
  ]
    .map((each) => `${each}\n\n`)
    .join('')
}
