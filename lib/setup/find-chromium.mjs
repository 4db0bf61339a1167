/**
 * Where a Chromium may stand. Apart from the rest of the set-up because Playwright's configuration reads it too,
 * and Playwright turns what it reads into CommonJS, where a module can not ask for its own place.
 */
import fs from 'node:fs'

const usual = [
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
 * The first Chromium that stands on this machine; the one named by CHROMIUM_PATH goes before all.
 * @param {string} playwrights where Playwright would keep its own
 * @returns {string | undefined} an absolute path
 */
export function findChromium(playwrights) {
  return [process.env.CHROMIUM_PATH, ...usual, playwrights].find((file) => file && fs.existsSync(file))
}
