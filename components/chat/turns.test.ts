import { expect, test } from 'vitest'
import { turnsOf } from './turns'

const run = (id: string, replaces: string | null = null) => ({ id, replaces })

test('a question asked again is one turn with several answers, the newest last', () => {
  const turns = turnsOf([run('a'), run('b'), run('c', 'b'), run('d', 'c'), run('e')])
  expect(turns.map(({ key, answers }) => [key, answers.map((each) => each.id)])).toEqual([
    ['a', ['a']],
    ['b', ['b', 'c', 'd']],
    ['e', ['e']],
  ])
})

test('what replaces a run that is not shown stands by itself', () => {
  expect(turnsOf([run('c', 'gone'), run('d', 'c')]).map((each) => each.answers.length)).toEqual([2])
})
