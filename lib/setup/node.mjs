/** Checks that Node is new enough. */
import { SetupError } from './stage.mjs'

const OLDEST = [20, 19]

/**
 * Throws for a Node that is too old, with the command that installs a newer one.
 * @param {string} [version] without the leading v
 */
export function ensureNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new SetupError(
    `Node ${OLDEST.join('.')} or newer is required, but this is ${version}. Get one from https://nodejs.org, or run: nvm install 22`,
  )
}
