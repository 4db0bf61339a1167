/**
 * Finds an installed Chromium. A file of its own because Playwright's configuration imports it too, and
 * Playwright compiles what it imports to CommonJS, where a module cannot use `import.meta`.
 */
import fs from 'node:fs'

/** Debian's Chromium without a window: enough for tests, and quicker than the whole browser. */
export const headlessShell = '/usr/bin/chromium-headless-shell'

const usual = [
  headlessShell,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
]

/**
 * The first Chromium found on this machine; the one named by CHROMIUM_PATH comes first.
 * @param {string} playwrights where Playwright would keep its own
 * @returns {string | undefined} an absolute path
 */
export function findChromium(playwrights) {
  return [process.env.CHROMIUM_PATH, ...usual, playwrights].find((file) => file && fs.existsSync(file))
}
