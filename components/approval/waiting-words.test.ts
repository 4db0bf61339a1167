import { expect, test } from 'vitest'
import type { Waiting } from '#components/run/waiting'
import { waitingWords } from './waiting-words'

const call = { id: 'c', name: 'human.ask' }
const question = { kind: 'input', call, input: { inputId: 'a', question: 'Which trip?' } }
const ofServer = { kind: 'input', call, input: { inputId: 'b', question: 'Go on?', server: 'shop' } }
const decision = { kind: 'approval', call: { id: 'd', name: 'files.create' } }

test.each([
  [[], ''],
  [[question], 'human.ask asks: Which trip?'],
  [[ofServer, question], 'shop asks: Go on? 1 more below.'],
  [[decision], 'files.create waits for your approval.'],
])('what is asked is said in a sentence', (waiting, words) => {
  expect(waitingWords(waiting as unknown as Waiting[])).toBe(words) // cast: only what the words are made of
})
