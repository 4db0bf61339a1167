import { describe, expect, test } from 'vitest'
import { isTicked, toggleTick } from './mcp-ticks'

const names = ['read', 'read_all', 'write']

describe('the ticks of an MCP server’s tools', () => {
  test.each([
    [[], ['read', 'read_all', 'write']],
    [['read'], ['read']],
    [['read*'], ['read', 'read_all']],
    [['gone'], []],
  ])('the patterns %j tick %j', (patterns, ticked) => {
    expect(names.filter((each) => isTicked(patterns, each))).toEqual(ticked)
  })

  test.each([
    [[], 'write', ['read', 'read_all']],
    [['read', 'read_all'], 'write', undefined],
    [['read*'], 'read', ['read_all']],
    [['read*'], 'write', undefined],
    [['read', 'gone'], 'write', ['read', 'write', 'gone']],
    [['read', 'read_all', 'gone'], 'write', ['read', 'read_all', 'write', 'gone']],
  ])('after %j, changing the tick of %s gives %j', (patterns, changed, after) => {
    expect(toggleTick(patterns, names, changed)).toEqual(after)
  })

  test('a tick that is changed twice is as before', () => {
    for (const name of names) {
      const once = toggleTick([], names, name) ?? []
      expect(toggleTick(once, names, name)).toBeUndefined()
    }
  })
})
