#!/usr/bin/env node
/** The `loopwright` command: builds what is missing (with a line on stderr if so) and runs the bundle. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundles, ensureBundled } from './bundle.mjs'
import { settle } from './launch.mjs'
import { prepareAll, preparePackages } from './prepare.mjs'
import { perform, speakOn } from './stage.mjs'

await perform(async () => {
  speakOn(process.stderr)
  const args = process.argv.slice(2)
  if (args[0] === 'serve') {
    await prepareAll()
    process.env.NODE_ENV = 'production'
  } else {
    await preparePackages()
    await ensureBundled()
  }
  settle(bundles)
  const { main } = await import(pathToFileURL(path.join(bundles, 'cli.mjs')).href)
  return await main(args)
})
