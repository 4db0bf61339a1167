import { expect, test } from 'vitest'
import type { Branch } from '#lib/wire/runs'
import { inTree } from './branches'

function branch(id: string, from: string | null): Branch {
  const forkedFrom = from === null ? null : { runId: from, step: 1 }
  const rest = { threadId: id, input: 'x', answer: null, startedAt: 1, createdAt: 1 }
  return { id, status: 'completed', forkedFrom, ...rest }
}

test('a tree is read from its root, each run followed by its forks, the oldest first', () => {
  const branches = [branch('a', null), branch('b', 'a'), branch('c', 'a'), branch('d', 'b'), branch('e', 'a')]
  const read = inTree(branches).map(({ branch: { id }, depth }) => [id, depth])
  expect(read).toEqual([
    ['a', 0],
    ['b', 1],
    ['d', 2],
    ['c', 1],
    ['e', 1],
  ])
})

test('a fork whose run was removed stands by itself and says so', () => {
  const read = inTree([branch('b', 'gone'), branch('d', 'b')])
  expect(read.map(({ depth, isOrphan }) => [depth, isOrphan])).toEqual([
    [0, true],
    [1, false],
  ])
})
