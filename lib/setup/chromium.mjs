/** Finds a Chromium for the browser tests: an installed one, otherwise Playwright's, otherwise Debian's. */
import fs from 'node:fs'
import { run, tool } from './child.mjs'
import { findChromium, headlessShell } from './find-chromium.mjs'
import { say, stage } from './stage.mjs'

const DOWNLOAD_MS = 120_000
const PACKAGE_LIST_MS = 60_000

async function find() {
  const { chromium } = await import('playwright-core')
  return findChromium(chromium.executablePath())
}

/** Debian's Chromium without a window, which runs the tests in a third less time than the whole browser. */
async function installHeadlessShell() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-qq'], { env, limitMs: PACKAGE_LIST_MS })
  const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium-headless-shell']
  await run('apt-get', install, { env, limitMs: DOWNLOAD_MS })
}

/**
 * Finds a Chromium or installs one; the packages must be installed. Root on Debian gets the headless shell
 * even where a whole Chromium is installed.
 * @returns {Promise<string | undefined>} undefined if none can be had: then only the browser tests fail
 */
export async function ensureChromium() {
  const found = await find()
  const isDebianRoot = process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')
  const isWhole = found !== headlessShell && found !== process.env.CHROMIUM_PATH
  if (found && !(isWhole && isDebianRoot)) return found
  const got = await stage({ name: 'browser', about: 'Chromium for the tests', usual: '1 min' }, async () => {
    if (!found) await tool('playwright-core/cli.js', ['install', 'chromium'], { limitMs: DOWNLOAD_MS })
    if (isDebianRoot && (found || !(await find()))) await installHeadlessShell()
    return await find()
  })
  if (!got)
    say(
      'browser   no Chromium could be installed, so the browser tests will fail. Install one with: npx playwright install chromium',
    )
  return got
}
