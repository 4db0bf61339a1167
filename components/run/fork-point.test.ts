import { expect, test } from 'vitest'
import { pointWords } from './fork-point'

test('where a fork goes on is said in a few words', () => {
  expect(pointWords({ runId: 'r', step: 2 })).toBe('step 2, asked again')
  expect(pointWords({ runId: 'r', step: 3, edit: 'result', callId: 'a' })).toBe('step 3, another result')
  expect(pointWords({ runId: 'r', step: 3, edit: 'prompt' })).toBe('from the start, another question')
  expect(pointWords({ runId: 'r', step: 2, changes: ['draft', 'model'] })).toBe(
    'step 2, the draft at that time, another model',
  )
  expect(pointWords({ runId: 'r', step: 2, edit: 'args', changes: ['instructions'] })).toBe(
    'step 2, other arguments, other instructions',
  )
})
