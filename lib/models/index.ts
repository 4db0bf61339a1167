/** The registry of providers, sorted by name as a module's exports are. */
import type { Provider } from '#lib/spec/model'
import * as all from './all'

export const providers: readonly Provider[] = Object.values(all)
