/**
 * The registry of built-in tools, sorted by name. This is the order in which the tools
 * of one glob are offered.
 */
import type { Tool } from '#lib/spec/tool'
import * as all from './all'

export const tools: readonly Tool[] = Object.values(all).sort((a, b) => (a.name < b.name ? -1 : 1))
