/** The oldest Node that will do. */
import { SetupError } from './stage.mjs'

const OLDEST = [20, 19]

/**
 * Refuses a Node that is too old, in one sentence with the command that mends it.
 * @param {string} [version] without the leading v
 */
export function ensureNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return
  throw new SetupError(
    `Node ${OLDEST.join('.')} or newer is needed and this is ${version}: get one from https://nodejs.org, or run: nvm install 22`,
  )
}
