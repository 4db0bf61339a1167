import { afterEach, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type House, openHouse, scriptOf } from './run-house.fixture'

let house: House | undefined
afterEach(() => house?.leave())

const turns: JsonObject[] = [
  {
    text: 'A secret word.',
    calls: [
      { name: 'look', args: { key: 'sesame' } },
      { name: 'no\nsuch', args: {} },
    ],
  },
  { text: 'Done.' },
]
const look = { effect: 'read' as const, run: async () => ({ ok: true as const, blocks: [] }) }

it('S3 §7 one line a step goes to the log, with figures and names and nothing that was said', async () => {
  const lines: string[] = []
  house = openHouse({ bodies: { look }, logStep: (line) => lines.push(line) })
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns)), input: 'Open it.' })
  await house.end(id)
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(
    new RegExp(
      `^${id} scripted-agent step 1/10: look ok \\d+ ms, no\\?such error 0 ms; \\d+ tokens in, \\d+ out; \\d+ ms$`,
    ),
  )
  expect(lines[1]).toMatch(/ step 2\/10: no calls; /)
  expect(lines.join()).not.toMatch(/sesame|secret|Open it|Done/)
})
