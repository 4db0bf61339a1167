/** Builds the sandbox's child programs before the unit tests, which start them as real processes. */
import { bundles, children, ensureBundled } from './bundle.mjs'
import { settle } from './launch.mjs'

/**
 * Builds the bundles. If that fails, only the tests that start a child fail, and the
 * message gives the reason.
 */
export async function setup() {
  settle(bundles)
  try {
    await ensureBundled(children())
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
