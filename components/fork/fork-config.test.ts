import { expect, test } from 'vitest'
import { modelLabel, requestOf, sameConfig } from './fork-config'

const model = { provider: 'openai', endpoint: 'lab', name: 'small' }

test.each([
  ['nothing', sameConfig, {}],
  ['the draft', { ...sameConfig, isDraft: true }, { version: 'draft' }],
  ['another model', { ...sameConfig, model }, { overrides: { model } }],
  ['no instructions', { ...sameConfig, instructions: '' }, { overrides: { instructions: '' } }],
  [
    'all of it',
    { isDraft: true, model, instructions: 'Be brief.' },
    { version: 'draft', overrides: { model, instructions: 'Be brief.' } },
  ],
])('a fork that changes %s says so in its request', (_, draft, expected) => {
  expect(requestOf(draft)).toEqual(expected)
})

test('a model is named with its endpoint, or else with its provider', () => {
  expect(modelLabel(model)).toBe('small, lab')
  expect(modelLabel({ provider: 'openai', name: 'large' })).toBe('large, openai')
})
