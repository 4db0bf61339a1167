/** The suites of `npm test` and `npm run check`; each runs to its end and returns its counts. */
import fs from 'node:fs'
import path from 'node:path'
import { tool } from './child.mjs'
import { found } from './failures.mjs'
import { at, filesBelow, readJson, readText } from './place.mjs'
import { say, spent } from './stage.mjs'
import { playwrightTally, toTryAgain, twoTries, vitestTally, withExit } from './tally.mjs'

const LIMIT_MS = 20 * 60_000
const checked = [
  'app',
  'bench',
  'components',
  'db',
  'e2e',
  'examples',
  'lib',
  'next.config.js',
  'tsconfig.json',
]

const testRooms = ['app', 'components', 'db', 'e2e', 'examples', 'lib']
const nothing = { passed: 0, failed: 0, failures: [] }

// A log that a machine keeps wants no colours, and Node warns when both of these are set.
export const plain = process.env.CI ? { NO_COLOR: '1', FORCE_COLOR: undefined } : {}

async function suite(name, work) {
  say(`\n${name}`)
  const began = Date.now()
  const tally = await work()
  say(`${name.padEnd(9)} ${tally.passed} passed, ${tally.failed} failed in ${spent(Date.now() - began)}`)
  return tally
}

function shown(script, args, env = {}) {
  return tool(script, args, { show: true, limitMs: LIMIT_MS, env: { ...plain, ...env } })
}

async function asOne(name, script, args) {
  const { code, output } = await shown(script, args)
  return code === 0
    ? { passed: 1, failed: 0, failures: [] }
    : { passed: 0, failed: 1, failures: [found(name, output)] }
}

/**
 * Checks the types. Next's own declarations are written first, because the existing ones may
 * describe pages that are gone.
 */
export async function types() {
  await tool('next/dist/bin/next', ['typegen'])
  return await suite('types', () => asOne('types', 'typescript/bin/tsc', ['--noEmit']))
}

/** Checks lint, format and the order of imports. */
export async function lint() {
  const present = checked.filter((entry) => fs.existsSync(at(entry)))
  const args = ['check', '--config-path=e2e/lint.json', ...present]
  return await suite('lint', () => asOne('lint', '@biomejs/biome/bin/biome', args))
}

/** What a deep run does: only the tests that are marked, each at its full size. */
const marked = '@deep'
const full = { LOOPWRIGHT_TEST_DEPTH: 'deep' }

async function tryUnit(report, more, env) {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ended = await shown(
    'vitest/vitest.mjs',
    ['run', '--config=e2e/vitest.config.ts', ...reporters, ...more],
    env,
  )
  return { ...ended, report: readJson(report) }
}

async function unitTally({ folder, more, twice, env }) {
  const first = await tryUnit(path.join(folder, 'unit.json'), more, env)
  const files = twice ? toTryAgain(first) : []
  if (files.length === 0) return withExit(vitestTally(first), { name: 'unit', ...first })
  say(`\nunit      a second try, with nothing else running: ${files.length} files`)
  const again = ['--no-file-parallelism', ...more.filter((each) => each.startsWith('-')), ...files]
  const second = await tryUnit(path.join(folder, 'again.json'), again, env)
  return twoTries(first, second)
}

/**
 * Runs the unit tests.
 * @param {{ folder: string, filters?: readonly string[], twice?: boolean }} what `folder` gets the reports,
 *   `twice` runs files with a failed test again
 */
export async function unit({ folder, filters = [], twice = false }) {
  const more = filters.length > 0 ? ['--passWithNoTests', ...filters] : []
  return await suite('unit', () => unitTally({ folder, more, twice }))
}

/**
 * The unit tests whose names are marked, at full size.
 * @param {{ folder: string, twice?: boolean }} what as for `unit`
 */
export async function deepUnit({ folder, twice = false }) {
  const isMarked = (file) => /\.test\.tsx?$/.test(file) && readText(at(file))?.includes(marked)
  const files = testRooms.flatMap((room) => filesBelow(room, isMarked))
  const more = [`--testNamePattern=${marked}`, ...files]
  return await suite('deep unit', () =>
    files.length === 0 ? nothing : unitTally({ folder, more, twice, env: full }))
}

/**
 * Runs the browser tests; each worker starts a server with its own data folder.
 * @param {{ folder: string, chromium?: string, filters?: readonly string[] }} what
 */
export async function e2e({ folder, chromium, filters = [] }) {
  const more = filters.length > 0 ? [...filters, '--pass-with-no-tests'] : []
  return await suite('e2e', () => e2eTally({ folder, chromium, more }))
}

/**
 * The browser tests that are marked, at full size.
 * @param {{ folder: string, chromium?: string }} what
 */
export async function deepE2e({ folder, chromium }) {
  const more = [`--grep=${marked}`]
  return await suite('deep e2e', () => e2eTally({ folder, chromium, more, env: full }))
}

async function e2eTally({ folder, chromium, more, env = {} }) {
  const report = path.join(folder, 'e2e.json')
  const args = ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json', ...more]
  const ended = await shown('@playwright/test/cli.js', args, {
    ...env,
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Playwright sets FORCE_COLOR itself if it is not set.
    ...(process.env.CI ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}),
  })
  return withExit(playwrightTally(readJson(report)), { name: 'e2e', ...ended })
}
