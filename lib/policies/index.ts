/** The registry of policies, sorted by name as a module's exports are. */
import type { Policy } from '#lib/spec/policy'
import * as all from './all'

export const policies: readonly Policy[] = Object.values(all)
