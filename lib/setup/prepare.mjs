/** Runs all set-up stages in order; completed ones are skipped silently. */
import { ensureBuilt } from './build.mjs'
import { ensureBundled } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureNode } from './node.mjs'

/** Prepares Node and the packages, which is enough for the checks. */
export async function preparePackages() {
  ensureNode()
  await ensureInstalled()
}

/** Prepares Node, the packages, the pages and the bundles, which is enough to serve. */
export async function prepareAll() {
  await preparePackages()
  await ensureBuilt()
  await ensureBundled()
}
