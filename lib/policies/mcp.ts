/** The policy `mcp`: which MCP servers an agent may use, and how many of their calls a run may make. */
import { z } from 'zod'
import { mcpServerName } from '#lib/spec/mcp'
import type { Policy, Ruling } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  servers: z.array(mcpServerName).max(100).default([]).meta({
    title: 'Servers',
    description: 'The names of the servers whose tools may be used. Without any, all may be used.',
  }),
  maxCalls: z.int().min(1).max(1_000_000).optional().meta({
    title: 'Calls',
    description: 'The most calls of MCP tools in a run. Calls beyond it are refused, and the run continues.',
    unit: 'calls',
  }),
})

export const mcp: Policy<typeof settings> = {
  id: 'mcp',
  label: 'Limit MCP servers',
  help: 'Says which MCP servers the agent may use, and how many of their calls a run may make. A tool of another server is hidden from the model, and refused if the model calls it anyway.',
  keywords: ['mcp', 'server', 'limit', 'allow', 'calls', 'external', 'quota', 'maximum'],
  icon: 'plug',
  settings,
  scoped: false,
  source: 'mcp',
  stages: ['mcp'],
  says({ servers, maxCalls }) {
    const parts = [
      servers.length > 0 && `Only the MCP servers ${servers.join(', ')}`,
      maxCalls !== undefined && `at most ${countOf(maxCalls, 'MCP call')} a run`,
    ].filter((each) => each !== false)
    const [first, ...rest] = parts
    return first === undefined
      ? undefined
      : [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(', ')
  },
  rule({ servers, maxCalls }, _stage, question): Ruling | undefined {
    const { scopeName } = question.tool
    const server = scopeName.slice(0, scopeName.indexOf('.'))
    if (servers.length > 0 && !servers.includes(server))
      return { verdict: 'deny', reason: `mcp allows only the servers ${servers.slice(0, 5).join(', ')}` }
    if (question.moment === 'offer' || maxCalls === undefined || question.past.started < maxCalls)
      return undefined
    return { verdict: 'limit', reason: `a run may make ${countOf(maxCalls, 'MCP call')}, and this one has` }
  },
}
