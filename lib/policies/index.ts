/** The registry of policies, sorted by id: the order in which schema and palette show them. */
import type { Policy } from '#lib/spec/policy'
import * as all from './all'

export const policies: readonly Policy[] = Object.values(all).sort((a, b) => (a.id < b.id ? -1 : 1))
