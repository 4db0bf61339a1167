import { describe, expect, it } from 'vitest'
import { type Findable, nearestTo, rankFound } from './rank'

const items: readonly Findable[] = [
  { label: 'Step limit', keywords: ['steps', 'maximum'], text: 'Limits how many steps a run may take.' },
  { label: 'Allow or deny tools', keywords: ['block', 'permission'], text: 'Says which tools may be used.' },
  { label: 'Time limit', keywords: ['timeout'], text: 'Ends a call that takes too long.' },
  { label: 'Calculate', keywords: ['calculator', 'sum'], text: 'math.calculate' },
  {
    label: 'Untrusted content',
    keywords: ['injection'],
    text: 'Asks before calls that a web page may cause.',
  },
  { label: 'sql.execute', keywords: ['database'] },
]
const labels = (found: readonly Findable[]) => found.map((each) => each.label)
const find = (query: string) => labels(rankFound(items, query, (each) => each))

describe('a search', () => {
  it.each([
    ['the start of a label before its other words', 'time', ['Time limit']],
    ['words of a label, in their order', 'limit', ['Step limit', 'Time limit']],
    ['a keyword', 'block', ['Allow or deny tools']],
    ['the start of a keyword', 'calculator', ['Calculate']],
    ['several words, from label and keywords', 'limit timeout', ['Time limit']],
    ['other text after label and keywords', 'call', ['Time limit', 'Untrusted content']],
    ['a name with dots by its words', 'sql execute', ['sql.execute']],
    ['letters in order when nothing else matches', 'calcltr', ['Calculate']],
    ['nothing', 'xyzzy', []],
  ])('finds %s', (_, query, expected) => {
    expect(find(query)).toEqual(expected)
  })

  it('prefers the item whose keywords name the word earlier', () => {
    const risk = { label: 'Risk limit', keywords: ['danger', 'safe', 'block'] }
    const deny = { label: 'Allow or deny tools', keywords: ['deny', 'block'] }
    expect(labels(rankFound([risk, deny], 'block', (each) => each))).toEqual([deny.label, risk.label])
  })

  it('keeps everything while nothing is typed', () => {
    expect(find(' ')).toEqual(labels(items))
  })
})

describe('the nearest parts', () => {
  const near = (query: string) => labels(nearestTo(items, query, { read: (each) => each, most: 3 }))

  it('begin with the one that has the most letters in common, in its label or a keyword', () => {
    expect(near('timeuot')[0]).toBe('Time limit')
    expect(near('permision')[0]).toBe('Allow or deny tools')
  })

  it('are none when nothing is alike', () => {
    expect(near('xyzzy')).toEqual([])
  })
})
