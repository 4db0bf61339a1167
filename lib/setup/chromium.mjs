/** Finds a Chromium for the browser tests: an installed one, otherwise Playwright's, otherwise Debian's. */
import fs from 'node:fs'
import { run, tool } from './child.mjs'
import { findChromium } from './find-chromium.mjs'
import { say, stage } from './stage.mjs'

const DOWNLOAD_MS = 120_000

async function find() {
  const { chromium } = await import('playwright-core')
  return findChromium(chromium.executablePath())
}

async function installDebians() {
  const quiet = { env: { DEBIAN_FRONTEND: 'noninteractive' } }
  await run('apt-get', ['update', '-qq'], quiet)
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
}

/**
 * Finds a Chromium or installs one; the packages must be installed.
 * @returns {Promise<string | undefined>} undefined if none can be had: then only the browser tests fail
 */
export async function ensureChromium() {
  const found = await find()
  if (found) return found
  const isDebianRoot = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')
  const got = await stage({ name: 'browser', about: 'Chromium for the tests', usual: '1 min' }, async () => {
    await tool('playwright-core/cli.js', ['install', 'chromium'], { limitMs: DOWNLOAD_MS })
    if (!(await find()) && isDebianRoot) await installDebians()
    return await find()
  })
  if (!got)
    say(
      'browser   no Chromium could be installed, so the browser tests will fail. Install one with: npx playwright install chromium',
    )
  return got
}
