import { expect, test } from 'vitest'
import { collectionName } from '#lib/spec/recall'
import { agentsNameOf, describedAs } from './collection-names'

test.each([
  ['Travel rules', 'travel-rules', ''],
  ['my_docs', 'my_docs', ''],
  ['差旅规定', 'collection', '差旅规定'],
  ['Zürich (2026)', 'zurich-2026', 'Zürich (2026)'],
])('a collection called “%s” is “%s” to agents, and no word of it is lost', (typed, name, description) => {
  expect(agentsNameOf(typed, new Set())).toBe(name)
  expect(collectionName.safeParse(name).success).toBe(true)
  expect(describedAs(typed, name, '')).toBe(description)
})

test('a name that is taken gets a number', () => {
  expect(agentsNameOf('差旅规定', new Set(['collection']))).toBe('collection-2')
  expect(agentsNameOf('Travel rules', new Set(['travel-rules']))).toBe('travel-rules-2')
})

test('the description that a person gives comes after the name', () => {
  expect(describedAs('差旅规定', 'collection', 'All rules.')).toBe('差旅规定: All rules.')
})
