/** The registry of providers, sorted by export name, as the exports of a module are. */
import type { Provider } from '#lib/spec/model'
import * as all from './all'

export const providers: readonly Provider[] = Object.values(all)
