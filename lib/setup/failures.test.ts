/** Tests of what the end of a log says about failed tests. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { found, playwrightFailures, told, uncaught, vitestFailures } from './failures.mjs'
import { root } from './place.mjs'

const failing = {
  title: 'is kept',
  tests: [
    {
      status: 'unexpected',
      results: [{ status: 'failed', error: { message: '\u001b[31mtoo late\u001b[39m' } }],
    },
  ],
}
const passing = { title: 'is drawn', tests: [{ status: 'expected', results: [{ status: 'passed' }] }] }

test('a unit test is told by file, groups and title, without the colours of its error', () => {
  const testResults = [
    {
      name: path.join(root, 'lib/a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        { ancestorTitles: [], title: 'passes', status: 'passed', failureMessages: [] },
        {
          ancestorTitles: ['', 'a run'],
          title: 'ends',
          status: 'failed',
          failureMessages: ['\u001b[31mnot so\u001b[39m\n at x'],
        },
      ],
    },
  ]
  expect(vitestFailures({ testResults })).toEqual([
    { suite: 'unit', file: 'lib/a.test.ts', test: 'a run › ends', error: 'not so\n at x' },
  ])
})

test('a test that ran out of time says so, and of the stack only our own lines are told', () => {
  const stack =
    'Error: STACK_TRACE_ERROR\n    at new Promise (<anonymous>)\n    at /x/node_modules/y.js:1:2\n    at /x/a.ts:1'
  const assertionResults = [{ ancestorTitles: [], title: 'ends', status: 'failed', failureMessages: [stack] }]
  const testResults = [{ name: path.join(root, 'a.test.ts'), status: 'failed', assertionResults }]
  expect(vitestFailures({ testResults })[0]?.error).toBe('Error: timed out\n    at /x/a.ts:1')
})

test('browser tests are found however deep they stand, and what failed outside of them', () => {
  const file = 'journeys/run.spec.ts'
  const report = {
    errors: [{ message: 'the server did not start' }],
    suites: [
      {
        title: file,
        specs: [{ ...passing, file }],
        suites: [{ title: 'a run', specs: [], suites: [{ title: 'long', specs: [{ ...failing, file }] }] }],
      },
      { title: 'empty.spec.ts', specs: [] },
    ],
  }
  expect(playwrightFailures(report)).toEqual([
    { suite: 'e2e', file: 'e2e/journeys/run.spec.ts', test: 'a run › long › is kept', error: 'too late' },
    { suite: 'e2e', error: 'the server did not start' },
  ])
  expect(playwrightFailures(undefined)).toEqual([])
})

test('an error that no test caught is found in what vitest wrote', () => {
  const output = ' ✓ a.test.ts\n\n⎯⎯⎯ \u001b[31mUnhandled Rejection\u001b[39m ⎯⎯⎯\nError: late\n'
  expect(uncaught(output)).toEqual([{ suite: 'unit', error: expect.stringContaining('Error: late') }])
  expect(uncaught(' ✓ Unhandled Errors are told\n ✓ the word Unhandled Error')).toEqual([])
})

test('the end of a log has each failure with no more than 15 lines', () => {
  const error = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`).join('\n')
  const text = told([
    { failures: [{ suite: 'types', error: '' }] },
    {
      failures: [{ suite: 'unit', file: 'a.test.ts', test: 'is so', error }],
      spared: [{ suite: 'unit', file: 'b.test.ts', error: 'killed' }],
    },
    {},
  ])
  expect(text.split('\n').slice(0, 7)).toEqual([
    'passed on a second try: unit  b.test.ts',
    '    killed',
    '',
    'failed: types',
    '',
    'failed: unit  a.test.ts › is so',
    '    line 1',
  ])
  expect(text).toMatch(/ {4}line 15\n\n$/)
})

test('of what lint says the end of a log has the place of the first fault', () => {
  const output = `\u001b[1mbench/README.md\u001b[0m format ━━\n${'  | a |\n'.repeat(30)}Found 1 error.\n`
  expect(told([{ failures: [found('lint', output)] }])).toMatch(/^failed: lint\n {4}bench\/README\.md format/)
})

test('where all passed at once the end of a log has nothing more', () => {
  expect(told([{ failures: [] }, {}])).toBe('')
})
