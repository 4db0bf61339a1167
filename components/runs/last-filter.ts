/**
 * The filter of the list of runs as it was last seen. The list next to an open run starts with it and keeps it
 * while other runs are opened from there.
 */
import { createStore } from 'zustand/vanilla'
import type { ListFilter } from './list-filter'

export const lastFilter = createStore<ListFilter>(() => ({}))
