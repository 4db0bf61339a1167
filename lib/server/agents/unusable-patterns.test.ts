import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type House, openHouse } from '../house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const parameters = { type: 'object', properties: { a: { type: 'string', pattern: '(a)\\1' } } }
test.each<[string, JsonObject, string]>([
  ['a tool', { tools: [{ use: 'code', name: 'x.y', source: 'return 1', parameters }] }, 'tools/0/parameters'],
  ['the arguments policy', { policies: [{ use: 'arguments', schema: parameters }] }, 'policies/0/schema'],
  ['the output', { output: { schema: parameters } }, 'output/schema'],
])(
  'a pattern with a back-reference in the schema of %s is told of where the agent is drawn',
  (_, more, path) => {
    const { diagnostics } = house.app.agents.importFile({ name: 'patterns', ...more }, { rename: true })
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        path,
        message:
          'The pattern “(a)\\1” cannot be used: it uses a back-reference, which cannot be matched in bounded time. Correct it, or take it out.',
      }),
    )
  },
)
