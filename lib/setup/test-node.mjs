/** All unit tests and one journey on the Node that runs this; their counts go to the file that is named. */
import fs from 'node:fs'
import path from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { prepareAll } from './prepare.mjs'
import { perform } from './stage.mjs'
import { e2e, unit } from './suites.mjs'

/** A person draws an agent, runs it and reads its trace. */
const journey = 'draw.spec'

await perform(async () => {
  const [report] = process.argv.slice(2)
  const folder = path.dirname(report)
  await prepareAll()
  const chromium = await ensureChromium()
  const tallies = [
    await unit({ folder, twice: Boolean(process.env.CI) }),
    await e2e({ folder, chromium, filters: [journey] }),
  ]
  fs.writeFileSync(report, JSON.stringify(tallies))
})
