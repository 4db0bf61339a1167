/** The suites that `npm test` and `npm run check` are made of; each runs to its end and gives its counts. */
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { tool } from './child.mjs'
import { at, readJson } from './place.mjs'
import { say, spent } from './stage.mjs'
import { playwrightTally, vitestTally, withExit } from './tally.mjs'

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

// A log that a machine keeps wants no colours, and Node warns when both of these are set.
const plain = process.env.CI ? { NO_COLOR: '1', FORCE_COLOR: undefined } : {}

async function suite(name, script, { args, env, report, count }) {
  say(`\n${name}`)
  const began = Date.now()
  const { code } = await tool(script, args, { show: true, limitMs: LIMIT_MS, env: { ...plain, ...env } })
  const tally = withExit(count(report ? readJson(report) : undefined, code), code)
  say(`${name.padEnd(9)} ${tally.passed} passed, ${tally.failed} failed in ${spent(Date.now() - began)}`)
  return tally
}

const asOne = (_report, code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 })

async function freePort() {
  const server = net.createServer()
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Types. Next's own declarations are written first: what stands may be of pages that are gone. */
export async function types() {
  await tool('next/dist/bin/next', ['typegen'])
  return await suite('types', 'typescript/bin/tsc', { args: ['--noEmit'], count: asOne })
}

/** Lint, format and order of imports. */
export async function lint() {
  const present = checked.filter((entry) => fs.existsSync(at(entry)))
  const args = ['check', '--config-path=e2e/lint.json', ...present]
  return await suite('lint', '@biomejs/biome/bin/biome', { args, count: asOne })
}

/**
 * Unit tests.
 * @param {{ folder: string, filters?: readonly string[] }} what `folder` takes the report
 */
export async function unit({ folder, filters = [] }) {
  const report = path.join(folder, 'unit.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = ['run', '--config=e2e/vitest.config.ts', ...reporters, ...filters]
  if (filters.length > 0) args.push('--passWithNoTests')
  return await suite('unit', 'vitest/vitest.mjs', { args, report, count: vitestTally })
}

/**
 * Browser tests against a server and a data folder of their own.
 * @param {{ folder: string, chromium?: string, filters?: readonly string[] }} what
 */
export async function e2e({ folder, chromium, filters = [] }) {
  const report = path.join(folder, 'e2e.json')
  const args = ['test', '--config=e2e/playwright.config.ts', '--reporter=list,json', ...filters]
  if (filters.length > 0) args.push('--pass-with-no-tests')
  const env = {
    CHROMIUM_PATH: chromium,
    E2E_PORT: String(await freePort()),
    LOOPWRIGHT_E2E_DATA: path.join(folder, 'data'),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Playwright sets FORCE_COLOR itself where it is not set.
    ...(process.env.CI ? { NO_COLOR: undefined, FORCE_COLOR: '0' } : {}),
  }
  return await suite('e2e', '@playwright/test/cli.js', { args, env, report, count: playwrightTally })
}
