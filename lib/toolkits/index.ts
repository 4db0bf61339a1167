/** The registry of toolkits. */
import type { Toolkit } from '#lib/spec/toolkit'
import * as all from './all'

export const toolkits: readonly Toolkit[] = Object.values(all)
