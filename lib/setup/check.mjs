/** `npm run check`: the checks that every change must pass: format and lint, types, unit tests. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { followParent } from './child.mjs'
import { preparePackages } from './prepare.mjs'
import { perform, say } from './stage.mjs'
import { lint, types, unit } from './suites.mjs'
import { summary } from './tally.mjs'

await perform(async () => {
  followParent()
  await preparePackages()
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-check-'))
  try {
    const tallies = [await lint(), await types(), await unit({ folder, filters: process.argv.slice(2) })]
    say(`\n${summary(tallies)}`)
    return tallies.some((tally) => tally.failed > 0) ? 1 : 0
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
