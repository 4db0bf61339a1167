/** All set-up in its order; what is done already is skipped without a word. */
import { ensureBuilt } from './build.mjs'
import { ensureBundled } from './bundle.mjs'
import { ensureInstalled } from './install.mjs'
import { ensureNode } from './node.mjs'

/** Makes sure of Node and the packages: enough for the checks. */
export async function preparePackages() {
  ensureNode()
  await ensureInstalled()
}

/** Makes sure of Node, the packages, the pages and the bundles: enough to serve. */
export async function prepareAll() {
  await preparePackages()
  await ensureBuilt()
  await ensureBundled()
}
