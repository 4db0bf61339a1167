/** The policy `discovery`: with many tools, the model gets a search in place of all of them. */
import { z } from 'zod'
import { glob, mostGlobs } from '#lib/spec/config'
import type { Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  over: z.int().min(1).max(10_000).default(40).meta({
    title: 'Above this many tools',
    description: 'With more tools than this, the model finds tools by a search.',
    unit: 'tools',
  }),
  overTokens: z.int().min(100).max(1_000_000).default(8_000).meta({
    title: 'Or above this size',
    description: 'The same when the descriptions and schemas of all tools take more than this.',
    unit: 'tokens',
  }),
  pin: z.array(glob).max(mostGlobs).default([]).meta({
    title: 'Always offer',
    description: 'Patterns over names of tools that the model always has.',
    format: 'globs',
  }),
})

export const discovery: Policy<typeof settings> = {
  id: 'discovery',
  label: 'Find tools by search',
  help: 'With many tools, the model gets the tool tools.find and those that are always offered. What it finds is offered from the next step to the end of the run, at most 20 tools. This saves tokens in every step and helps the model to choose.',
  keywords: ['discovery', 'search', 'many', 'tools', 'find', 'catalog', 'mcp', 'select', 'tokens'],
  icon: 'search',
  settings,
  scoped: false,
  lastWins: true,
  says: ({ over, overTokens }) =>
    `A search in place of all tools, above ${countOf(over, 'tool')} or ${countOf(overTokens, 'token')}`,
  limit({ over, overTokens, pin }, limits) {
    limits.discovery = { over, overTokens, pin }
  },
}
