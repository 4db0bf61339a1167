import { describe, expect, it } from 'vitest'
import { type Permit, permitsOf } from './permits'

const offered = (name: string, entry: string, asks = false) => ({
  name,
  wireName: name,
  entry,
  risk: 'read' as const,
  effect: 'read' as const,
  timeoutSeconds: 30,
  tokens: 0,
  asks,
})
const withheld = (name: string, entry: string) => ({
  name,
  entry,
  policy: 'skills',
  node: 'policies/0',
  reason: 'It is denied.',
})
const origins = { agent: 'a', 'tools/0': 't', 'tools/1': 'u' }

describe('what the policies allow before a run', () => {
  it('counts the tools of each entry and of the agent', () => {
    const found = permitsOf(
      { offered: [offered('one', 'tools/0', true)], withheld: [withheld('two', 'tools/1')] },
      origins,
      new Map(),
    )
    expect(found.get('t')).toEqual({ offered: 1, withheld: 0, asks: 1, reason: undefined })
    expect(found.get('u')).toEqual({ offered: 0, withheld: 1, asks: 0, reason: 'It is denied.' })
    expect(found.get('a')).toEqual({ offered: 1, withheld: 1, asks: 1, reason: 'It is denied.' })
  })

  it('keeps the object of what did not change, so that no card is drawn again', () => {
    const before = permitsOf({ offered: [offered('one', 'tools/0')], withheld: [] }, origins, new Map())
    const after = permitsOf(
      { offered: [offered('one', 'tools/0')], withheld: [withheld('two', 'tools/1')] },
      origins,
      before,
    )
    expect(after.get('t')).toBe(before.get('t') as Permit) // cast: the line above put it there
    expect(after.get('a')).not.toBe(before.get('a'))
  })
})
