/** The registry of protocols: what a provider does itself first, then by name as a module's exports are. */
import type { Protocol } from '#lib/spec/protocol'
import * as all from './all'

const { native, ...others } = all

export const protocols: readonly Protocol[] = [native, ...Object.values(others)]
