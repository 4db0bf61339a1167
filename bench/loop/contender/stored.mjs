/** For the benchmark of peers: our loop with everything stored and one watcher. */
import { createWith } from './run.mjs'

export const create = (options) => createWith('openServer', options)
