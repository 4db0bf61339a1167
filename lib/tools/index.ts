/** The registry of built-in tools, sorted by name: the order offered when one glob names several. */
import type { Tool } from '#lib/spec/tool'
import * as all from './all'

export const tools: readonly Tool[] = Object.values(all).sort((a, b) => (a.name < b.name ? -1 : 1))
