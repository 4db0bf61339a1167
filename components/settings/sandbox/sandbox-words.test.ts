import { describe, expect, test } from 'vitest'
import type { WalledKindView, WallView } from '#lib/wire/sandbox'
import { remedyPieces, wallState, whyNotUsed } from './sandbox-words'

const wall = (id: string, test: WallView['test']): WallView => {
  return { id, name: id, strength: 'system', promises: [], gaps: [], test }
}
const holds = wall('a', { holds: true, startMs: 5 })
const fails = wall('b', { holds: false, reason: 'It leaks.', remedies: [] })
const untested = wall('c', null)
const kind = (used: string | null): WalledKindView => ({
  kind: 'shell',
  used,
  refusal: null,
  walls: [holds, fails, untested],
})

describe('a wall under Settings', () => {
  test.each([
    ['that is used', holds, 'a', 'in use', undefined],
    ['that holds beside the one in use', holds, 'c', 'holds', 'A stronger wall is in use.'],
    ['that does not hold', fails, 'a', 'does not hold', undefined],
    ['that was not tested', untested, 'a', 'not tested', 'A stronger wall is in use.'],
  ])('%s', (_, each, used, word, why) => {
    expect(wallState(each, kind(used)).word).toBe(word)
    expect(whyNotUsed(each, kind(used), 'process')).toBe(why)
  })

  test('says which demand of the operator keeps one that holds out of use', () => {
    expect(whyNotUsed(holds, kind(null), 'system')).toContain('“system” (LOOPWRIGHT_SANDBOX)')
  })

  test('shows the commands of a remedy apart from its words', () => {
    expect(remedyPieces('Run `a b` or `c`.')).toEqual([
      { text: 'Run ', isCommand: false },
      { text: 'a b', isCommand: true },
      { text: ' or ', isCommand: false },
      { text: 'c', isCommand: true },
      { text: '.', isCommand: false },
    ])
  })
})
