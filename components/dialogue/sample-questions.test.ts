import { expect, test } from 'vitest'
import { samplesIn } from './sample-questions'

test.each([
  ['Does arithmetic. Ask: What is 12.5% of 840?', ['What is 12.5% of 840?']],
  ['Runs code. Ask: What is 2 + 2? How many days has May?', ['What is 2 + 2?', 'How many days has May?']],
  [
    'Reads. Ask: Read the web page https://example.com/ and say what it is about.',
    ['Read the web page https://example.com/ and say what it is about.'],
  ],
  [
    'Writes. Ask: Write a file "a.md" with the text "Milk, bread." Write a poem.',
    ['Write a file "a.md" with the text "Milk, bread."', 'Write a poem.'],
  ],
  ['Ask me anything.', []],
  ['', []],
  [undefined, []],
])('the samples in %j', (description, samples) => {
  expect(samplesIn(description)).toEqual(samples)
})
