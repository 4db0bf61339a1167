import { expect, test } from 'vitest'
import { readFolds, writeFolds } from './folds'

test('folded and open sections are read back as they were written', () => {
  const folds = new Map([
    ['Files', false],
    ['Math: and time', true],
  ])
  expect([...readFolds(writeFolds(folds))]).toEqual([...folds])
  expect([...readFolds(null)]).toEqual([])
})
