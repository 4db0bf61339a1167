/** Starts the bundled server in this process. */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './place.mjs'

/**
 * Passes on two locations to our code: the project's folder and the folder with the sandbox's child programs.
 * @param {string} folder absolute
 */
export function settle(folder) {
  process.env.LOOPWRIGHT_ROOT = root
  process.env.LOOPWRIGHT_BUNDLES = folder
  process.env.NEXT_TELEMETRY_DISABLED = '1'
}

/**
 * Imports `serve` from a folder of bundles and calls it. From then on the server handles signals
 * and prints the last line.
 * @param {{ folder: string, dev: boolean }} where
 */
export async function launch({ folder, dev }) {
  settle(folder)
  const { serve } = await import(pathToFileURL(path.join(folder, 'serve.mjs')).href)
  await serve({ dev })
}
