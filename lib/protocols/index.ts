/** The registry of protocols, sorted by name as a module's exports are. */
import type { Protocol } from '#lib/spec/protocol'
import * as all from './all'

export const protocols: readonly Protocol[] = Object.values(all)
