import { describe, expect, it } from 'vitest'
import type { AgentList } from '#lib/wire/agents'
import { nameForTitle } from './agent-name'

const agent = (name: string, version: number | null = null) =>
  ({ name, version }) as AgentList['items'][number] // cast: the rest of a list row plays no part here

describe('the name of an agent', () => {
  const rename = (change: Partial<Parameters<typeof nameForTitle>[0]>) =>
    nameForTitle({
      name: 'untitled-agent',
      before: 'Untitled agent',
      after: 'Revenue report',
      agents: [agent('untitled-agent')],
      ...change,
    })

  it('follows the title', () => {
    expect(rename({})).toBe('revenue-report')
    expect(rename({ name: 'untitled-agent-2', before: 'Untitled agent 2' })).toBe('revenue-report')
  })

  it('takes the next free name', () => {
    expect(rename({ agents: [agent('untitled-agent'), agent('revenue-report')] })).toBe('revenue-report-2')
  })

  it.each([
    ['a person typed a name', { name: 'sales' }],
    ['a version is published', { agents: [agent('untitled-agent', 1)] }],
    ['the new title has no letter for a name', { after: '报告' }],
    ['the new title makes the same name', { after: 'Untitled agent!' }],
  ])('stays when %s', (_, change) => {
    expect(rename(change)).toBeUndefined()
  })
})
