/** Many tools: a search in place of all of them, and what it finds in the steps after it. */
import { describe, expect, it } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { DiscoveryLimits } from '#lib/spec/policy'
import type { BoundTool } from '#lib/spec/toolkit'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  of,
  replay,
  said,
  text,
} from '../rig.fixture'
import { offerOf } from './offering'
import { request } from './rerequest'

const search = createTool('tools.find', {
  node: 'agent',
  run: ({ names }) => ({ ok: true, blocks: [], found: Array.isArray(names) ? names.map(String) : [] }),
})
const many = Array.from({ length: 50 }, (_, index) => createTool(`tool${index}`))
const find = (...names: string[]) => ({ name: 'tools.find', args: { names } })
const range = (from: number, to: number) => many.slice(from, to).map(({ name }) => name)

function discovering(given: Partial<DiscoveryLimits> = {}) {
  const limits: DiscoveryLimits = { over: 40, overTokens: 100_000, pin: [], ...given }
  return createPolicy('discovery', 'policies/3', {
    limit(all) {
      all.discovery = limits
    },
  })
}

const namesOf = (events: readonly RunEvent[]) =>
  of(events, 'model.requested').map((each) => each.tools.map(({ name }) => name).join(' '))
const offered = (tools: readonly BoundTool[], given?: Partial<DiscoveryLimits>) =>
  offerOf({ tools, policies: [discovering(given)] }).offered.map(({ name }) => name)

describe('the policy discovery', () => {
  it('offers all tools and no search as long as there are few', () => {
    expect(offered([...many.slice(0, 40), search])).toEqual(range(0, 40))
  })

  it('offers the search, what is pinned and what ends the run above a number of tools', () => {
    const finish = createTool('finish', { ends: true, node: 'agent' })
    expect(offered([...many, finish, search], { pin: ['tool7', 'tool4*'] })).toEqual([
      'tool4',
      'tool7',
      ...range(40, 50),
      'finish',
      'tools.find',
    ])
  })

  it('counts the size of descriptions and schemas as well', () => {
    const large = createTool('large', { description: 'x'.repeat(5_000) })
    expect(offered([large, search], { overTokens: 1_000 })).toEqual(['tools.find'])
    expect(offered([large, search], { overTokens: 2_000 })).toEqual(['large'])
  })

  it('counts only tools that the other policies allow', () => {
    const policies = [denying(...range(10, 50)), discovering()]
    const { offered: names } = offerOf({ tools: [...many, search], policies })
    expect(names.map(({ name }) => name)).toEqual(range(0, 10))
  })

  it('offers what was found from the next step on to the end of the run', async () => {
    const { deps } = createRig({
      play: [calls(find('tool3', 'tool9')), calls('tool9'), text('Done.')],
      tools: [...many, search],
      policies: [discovering()],
    })
    const events = await collect(deps)
    expect(namesOf(events)).toEqual(['tools.find', 'tools.find tool3 tool9', 'tools.find tool3 tool9'])
    expect(of(events, 'tools.found')).toMatchObject([{ names: ['tool3', 'tool9'], callId: 'call_1_1' }])
    expect(of(events, 'tools.changed')).toMatchObject([{ reason: 'tools.find offers what it finds' }])
    expect(of(events, 'call.finished').map(({ status }) => status)).toEqual(['ok', 'ok'])
    expect(replay(events).found).toEqual(['tool3', 'tool9'])
  })

  it('refuses a tool that was not found, with the way to find it', async () => {
    const { deps } = createRig({
      play: [calls('tool5'), text('Done.')],
      tools: [...many, search],
      policies: [discovering()],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'denied' }])
    expect(of(events, 'policy.ruled')).toMatchObject([
      { policy: 'discovery', node: 'policies/3', reason: expect.stringContaining('tools.find finds it') },
    ])
  })

  it('keeps the twenty tools that were found last', async () => {
    const { deps } = createRig({
      play: [calls(find(...range(0, 20))), calls(find('tool0', 'tool30', 'tool31')), text('Done.')],
      tools: [...many, search],
      policies: [discovering()],
    })
    const events = await collect(deps)
    const last = new Set(namesOf(events).at(-1)?.split(' '))
    expect(last.size).toBe(21)
    expect(['tool0', 'tool30', 'tool31'].every((name) => last.has(name))).toBe(true)
    expect(last.has('tool1') || last.has('tool2')).toBe(false)
  })

  it('builds each request again from the events', async () => {
    const rig = createRig({
      play: [calls(find('tool3')), calls('tool3'), text('Done.')],
      tools: [...many, search],
      policies: [discovering({ pin: ['tool1'] })],
    })
    const events = await collect(rig.deps)
    const state = replay(events)
    for (const sent of of(events, 'model.requested'))
      expect(rig.deps.hash(request(state, rig.deps, sent.step)?.body ?? '')).toBe(sent.hash)
  })

  it('gives the search the tools that are held back, and no others', async () => {
    const seen: (readonly string[])[] = []
    const asking = createTool('tools.find', {
      node: 'agent',
      run: (_, { hiddenTools = [] }) => {
        seen.push(hiddenTools.map(({ name }) => name))
        return said('')
      },
    })
    const policies = [denying('tool2'), discovering({ pin: ['tool1'] })]
    const { deps } = createRig({
      play: [calls('tools.find'), text('Done.')],
      tools: [...many, asking],
      policies,
    })
    await collect(deps)
    expect(seen).toEqual([range(0, 50).filter((name) => name !== 'tool1' && name !== 'tool2')])
  })
})
