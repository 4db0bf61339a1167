/**
 * `npm test`: runs all set-up stages, then types, lint, unit and browser tests, each to its end; the log ends
 * with the failures and the totals.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { followParent } from './child.mjs'
import { ensureChromium } from './chromium.mjs'
import { told } from './failures.mjs'
import { withLock } from './lock.mjs'
import { prepareAll } from './prepare.mjs'
import { perform, say } from './stage.mjs'
import { e2e, lint, types, unit } from './suites.mjs'
import { summary } from './tally.mjs'

async function suites(folder, filters) {
  const chromium = await withLock(ensureChromium)
  // Output that is shown on a terminal is not kept, so errors that no test caught cannot be detected there.
  const twice = Boolean(process.env.CI)
  if (filters.length > 0) {
    return [await unit({ folder, filters, twice }), await e2e({ folder, chromium, filters })]
  }
  return [await types(), await lint(), await unit({ folder, twice }), await e2e({ folder, chromium })]
}

await perform(async () => {
  followParent()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-test-'))
  let tallies = [{ passed: 0, failed: 1 }]
  try {
    await prepareAll()
    tallies = await suites(folder, process.argv.slice(2))
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
    process.exitCode = tallies.some((tally) => tally.failed > 0) ? 1 : 0
    process.once('exit', () => say(`\n${told(tallies)}${summary(tallies)}`))
  }
})
