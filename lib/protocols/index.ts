/**
 * The registry of protocols: native calls first, then the others in the order of module exports (by name).
 */
import type { Protocol } from '#lib/spec/protocol'
import * as all from './all'

const { native, ...others } = all

export const protocols: readonly Protocol[] = [native, ...Object.values(others)]
