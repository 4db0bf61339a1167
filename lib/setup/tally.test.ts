/** Tests of the counts behind the last line of `npm test`, and of which unit tests get a second try. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from './place.mjs'
import { playwrightTally, summary, toTryAgain, twoTries, vitestTally, withExit } from './tally.mjs'

type Told = readonly [title: string, status: 'passed' | 'failed' | 'skipped', error?: string]

function file(name: string, tests: readonly Told[], { message = '', isFailed = false } = {}) {
  return {
    name: path.join(root, name),
    message,
    status: isFailed || tests.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: tests.map(([title, status, error]) => ({
      ancestorTitles: [],
      title,
      fullName: title,
      status,
      failureMessages: error ? [error] : [],
    })),
  }
}

const ran = (...testResults: ReturnType<typeof file>[]) => ({ report: { testResults } })
const late = 'Error: Test timed out in 5000ms.'
const counterexample = 'Error: Property failed after 7 tests\n{ seed: 1, path: "6" }'

test('a unit test file that did not load is one failure', () => {
  const tally = vitestTally(
    ran(
      file('a.test.ts', [['one', 'passed']]),
      file('b.test.ts', [], { message: 'No such module', isFailed: true }),
      file('c.test.ts', [
        ['one', 'failed', late],
        ['two', 'passed'],
        ['three', 'skipped'],
      ]),
    ),
  )
  expect(tally).toEqual({
    passed: 2,
    failed: 2,
    failures: [
      { suite: 'unit', file: 'b.test.ts', error: 'No such module' },
      { suite: 'unit', file: 'c.test.ts', test: 'one', error: late },
    ],
  })
})

test('a browser test that needed a second try counts as passed, and is named', () => {
  const results = [{ error: { message: 'too late' } }, {}]
  const spec = { title: 'is kept', file: 'a.spec.ts', tests: [{ status: 'flaky', results }] }
  const report = { stats: { expected: 3, flaky: 1, unexpected: 2, skipped: 4 }, suites: [{ specs: [spec] }] }
  expect(playwrightTally(report)).toMatchObject({
    passed: 4,
    failed: 2,
    failures: [],
    spared: [{ file: 'e2e/a.spec.ts', test: 'is kept', error: 'too late' }],
  })
})

test('a runner that crashed without a report is one failure, told by the end of what it wrote', () => {
  const crash = { name: 'unit', code: 1, output: `${'a line\n'.repeat(100)}out of memory\n` }
  const tally = withExit(vitestTally({ report: undefined }), crash)
  expect(tally).toMatchObject({ passed: 0, failed: 1, failures: [{ suite: 'unit' }] })
  expect(tally.failures[0]?.error).toMatch(/^(a line\n){14}out of memory$/)
  expect(withExit(playwrightTally(undefined), { name: 'e2e', code: 124 })).toEqual({
    passed: 0,
    failed: 1,
    failures: [{ suite: 'e2e', error: '' }],
    spared: [],
  })
})

test('an exit code adds nothing to a failure that is known', () => {
  const known = { passed: 3, failed: 2, failures: [] }
  expect(withExit(known, { name: 'unit', code: 1 })).toBe(known)
  expect(withExit({ ...known, failed: 0 }, { name: 'unit', code: 0 })).toMatchObject({ passed: 3, failed: 0 })
  const uncaught = vitestTally({ ...ran(), output: 'Unhandled Errors\nError: late' })
  expect(withExit(uncaught, { name: 'unit', code: 1 })).toEqual({ ...uncaught, failed: 1 })
})

test('a test that passes at a second try counts as passed and is told with its first error', () => {
  const first = ran(
    file('a.test.ts', [
      ['one', 'failed', late],
      ['two', 'failed', 'is wrong'],
      ['three', 'passed'],
    ]),
    file('b.test.ts', [['one', 'passed']]),
  )
  expect(toTryAgain(first)).toEqual([path.join(root, 'a.test.ts')])
  const second = ran(
    file('a.test.ts', [
      ['one', 'passed'],
      ['two', 'failed', 'is wrong again'],
      ['three', 'passed'],
    ]),
  )
  expect(twoTries(first, second)).toEqual({
    passed: 3,
    failed: 1,
    failures: [{ suite: 'unit', file: 'a.test.ts', test: 'two', error: 'is wrong' }],
    spared: [{ suite: 'unit', file: 'a.test.ts', test: 'one', error: late }],
  })
})

test('a counterexample is a fact: it is not tried again, and stays when its file is', () => {
  const alone = ran(file('a.test.ts', [['law', 'failed', counterexample]]))
  expect(toTryAgain(alone)).toEqual([])
  const first = ran(
    file('a.test.ts', [
      ['law', 'failed', counterexample],
      ['slow', 'failed', late],
    ]),
  )
  const second = ran(
    file('a.test.ts', [
      ['law', 'passed'],
      ['slow', 'passed'],
    ]),
  )
  expect(twoTries(first, second)).toMatchObject({
    passed: 1,
    failed: 1,
    failures: [{ test: 'law' }],
    spared: [{ test: 'slow' }],
  })
})

test('a second try that failed by none of its tests takes nothing back', () => {
  const first = ran(file('a.test.ts', [['slow', 'failed', late]]))
  const second = { ...ran(file('a.test.ts', [['slow', 'passed']])), code: 1 }
  expect(twoTries(first, second)).toMatchObject({ passed: 0, failed: 1 })
})

test('a file that did not load passes whole at a second try, or not at all', () => {
  const first = ran(file('a.test.ts', [], { message: 'killed', isFailed: true }))
  expect(toTryAgain(first)).toEqual([path.join(root, 'a.test.ts')])
  const whole = file('a.test.ts', [
    ['one', 'passed'],
    ['two', 'passed'],
  ])
  expect(twoTries(first, ran(whole))).toMatchObject({
    passed: 2,
    failed: 0,
    spared: [{ file: 'a.test.ts', error: 'killed' }],
  })
  const half = file('a.test.ts', [
    ['one', 'passed'],
    ['two', 'failed', late],
  ])
  expect(twoTries(first, ran(half))).toMatchObject({ passed: 0, failed: 1, spared: [] })
})

test('what stands around the tests of a file and throws at the second try fails it', () => {
  const first = ran(file('a.test.ts', [['one', 'failed', late]]))
  const second = ran(file('a.test.ts', [['one', 'passed']], { message: 'afterAll threw', isFailed: true }))
  expect(twoTries(first, second)).toMatchObject({
    failed: 1,
    failures: [{ file: 'a.test.ts', error: 'afterAll threw' }],
  })
})

test('of tests with the same name all must pass at the second try', () => {
  const first = ran(
    file('a.test.ts', [
      ['same', 'failed', late],
      ['same', 'passed'],
    ]),
  )
  const second = ran(
    file('a.test.ts', [
      ['same', 'passed'],
      ['same', 'failed', late],
    ]),
  )
  expect(twoTries(first, second)).toMatchObject({ passed: 1, failed: 1, spared: [] })
})

test('nothing is spared by a second try that gave no report, or where an error was caught by no test', () => {
  const first = ran(file('a.test.ts', [['one', 'failed', late]]))
  const second = ran(file('a.test.ts', [['one', 'passed']]))
  const output = 'Unhandled Rejection\nError: late'
  expect(toTryAgain({ ...first, output })).toEqual([])
  expect(toTryAgain({ report: undefined })).toEqual([])
  expect(twoTries(first, { report: undefined })).toMatchObject({ passed: 0, failed: 1 })
  expect(twoTries(first, { ...second, output })).toMatchObject({ passed: 0, failed: 1 })
})

test('the last line has one form', () => {
  expect(
    summary([
      { passed: 1, failed: 0 },
      { passed: 20, failed: 3 },
    ]),
  ).toBe('21 passed, 3 failed')
})
