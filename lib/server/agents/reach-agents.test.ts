import { describe, expect, it } from 'vitest'
import { type FoundAgent, reachAgents } from './reach-agents'

/** Agents by name, with the names of those that each calls. */
function find(calls: Record<string, readonly string[]>) {
  const asked: string[] = []
  const one = ({ agent: name }: { agent: string }): FoundAgent => {
    asked.push(name)
    const called = calls[name]
    if (called === undefined) return { code: 'agent_not_found', problem: `no ${name}` }
    const agent = { id: name, name, version: 1, configHash: '' }
    return { agent, config: JSON.stringify({ tools: toolsFor(called) }), origins: {} }
  }
  return { asked, one }
}
const toolsFor = (names: readonly string[]) => names.map((agent) => ({ use: 'agent', agent }))

function reach(root: readonly string[], calls: Record<string, readonly string[]>) {
  const { asked, one } = find(calls)
  return { asked, ...reachAgents({ name: 'root', config: { tools: toolsFor(root) } }, one) }
}

describe('the agents that an agent can reach', () => {
  it('are found once each, through others too', () => {
    const { asked, agents, refused } = reach(['a', 'b'], { a: ['c'], b: ['c'], c: [] })
    expect([agents.map(({ key }) => key).sort(), refused]).toEqual([
      ['a@published', 'b@published', 'c@published'],
      [],
    ])
    expect(asked.sort()).toEqual(['a', 'b', 'c'])
  })

  it('a missing one is named at its entry, and only where the agent itself names it', () => {
    const { lacking, agents } = reach(['gone', 'a'], { a: ['far'] })
    expect(lacking).toEqual([{ code: 'agent_not_found', message: 'no gone', path: 'tools/0/agent' }])
    expect(agents).toContainEqual({ key: 'far@published', problem: 'no far' })
  })

  it.each([
    ['itself', ['root'], {}, 'The agent root would call itself, which has no end. Choose another agent.'],
    [
      'one other',
      ['a'],
      { a: ['root'] },
      'root calls a calls root, which has no end. Take one of these calls out.',
    ],
    [
      'two others',
      ['a'],
      { a: ['b'], b: ['root'] },
      'root calls a calls b calls root, which has no end. Take one of these calls out.',
    ],
    [
      'others among themselves',
      ['a'],
      { a: ['b'], b: ['a'] },
      'a calls b calls a, which has no end. Take one of these calls out.',
    ],
  ] as const)('a circle through %s is refused with the way', (_, root, calls, message) => {
    expect(reach(root, calls).refused).toEqual([{ code: 'agent_cycle', message, path: 'tools/0/agent' }])
  })

  it('three deep is possible, four is refused at the entry that leads there', () => {
    const chain = { a: ['b'], b: ['c'], c: ['d'], d: [], x: ['y'], y: ['z'], z: [] }
    expect(reach(['x'], chain).refused).toEqual([])
    expect(reach(['x', 'a'], chain).refused).toMatchObject([{ code: 'agent_depth', path: 'tools/1/agent' }])
  })

  it('depth and circles count from the first of the callers that lead there', () => {
    const calls = { a: ['b'], b: [], c: ['first'] }
    const from = (callers: readonly string[], name: string) =>
      reachAgents({ name: 'root', config: { tools: toolsFor([name]) }, callers }, find(calls).one).refused
    expect(from(['first'], 'a')).toEqual([])
    expect(from(['first', 'second'], 'a')).toEqual([
      {
        code: 'agent_depth',
        message: 'Through a, calls go 4 agents deep. At most 3 are possible.',
        path: 'tools/0/agent',
      },
    ])
    expect(from(['first'], 'c')).toMatchObject([
      { code: 'agent_cycle', message: expect.stringContaining('first calls root calls c calls first') },
    ])
  })

  it('takes no longer for many ways to the same agents', () => {
    const layer = (name: string) => Array.from({ length: 30 }, (_, index) => `${name}${index}`)
    const calls = Object.fromEntries([
      ...layer('a').map((each) => [each, layer('b')]),
      ...layer('b').map((each) => [each, layer('c')]),
      ...layer('c').map((each) => [each, []]),
    ])
    expect(reach(layer('a'), calls).asked).toHaveLength(90)
  })
})
