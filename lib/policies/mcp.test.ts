/** The policy `mcp`: which servers count, and the calls of a run. */
import { expect, test } from 'vitest'
import { offer, rule } from '#lib/agent/request/offer'
import type { PolicyEntry } from '#lib/spec/config'
import type { CallPast } from '#lib/spec/policy'
import { bindPolicies } from './bind'
import { policies } from './index'
import { createTool } from './tool.fixture'

const own = createTool({ name: 'files.view', scopeName: 'files.view' })
const echo = createTool({ name: 'everything.echo', scopeName: 'everything.echo', source: 'mcp' })
const read = createTool({ name: 'read', scopeName: 'disk.read_file', source: 'mcp' })
const bound = (settings: Omit<PolicyEntry, 'use'>) => bindPolicies([{ use: 'mcp', ...settings }], policies)

function pastOf(started: number): CallPast {
  return { failed: 0, started, startedInStep: 0, begun: [], hasFiles: false, hadFiles: false }
}

function ruled(tool: typeof echo, settings: Omit<PolicyEntry, 'use'>, started = 0) {
  const call = { tool, callId: 'call_1', args: {}, past: () => pastOf(started) }
  return rule(call, bound(settings)).rulings.filter(({ policy }) => policy === 'mcp')
}

test('S3-18 the tools of servers that it does not name are withheld, also those that were renamed', () => {
  const { offered, withheld } = offer([own, echo, read], bound({ servers: ['everything'] }))
  expect(offered.map(({ name }) => name)).toEqual(['files.view', 'everything.echo'])
  expect(withheld).toEqual([
    expect.objectContaining({
      name: 'read',
      policy: 'mcp',
      reason: 'mcp allows only the servers everything',
    }),
  ])
  expect(ruled(read, { servers: ['everything'] })).toEqual([expect.objectContaining({ verdict: 'deny' })])
})

test('S3-18 the call after the most is refused, and calls of other tools go on', () => {
  expect(ruled(echo, { maxCalls: 2 }, 1)).toEqual([])
  expect(ruled(echo, { maxCalls: 2 }, 2)).toEqual([
    expect.objectContaining({
      verdict: 'limit',
      reason: 'a run may make 2 MCP calls, and this one has',
    }),
  ])
  expect(ruled(own, { maxCalls: 2, servers: ['everything'] }, 2)).toEqual([])
})

test('S3-18 without settings it changes nothing', () => {
  expect(offer([own, echo, read], bound({})).withheld).toEqual([])
  expect(ruled(read, {}, 1_000)).toEqual([])
})
