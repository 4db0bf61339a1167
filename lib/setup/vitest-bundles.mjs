/** Before the unit tests: the sandbox's child programs, which tests start as real processes. */
import { bundles, children, ensureBundled } from './bundle.mjs'
import { settle } from './launch.mjs'

/** Builds them; when they do not bundle, only the tests that start one fail, and this says why. */
export async function setup() {
  settle(bundles)
  try {
    await ensureBundled(children())
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  }
}
