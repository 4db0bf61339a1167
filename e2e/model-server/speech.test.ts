/** Tests one plan with the real engine, over each wire and in each format, with the bytes cut anywhere. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { protocols } from '#lib/protocols'
import { createFetchServer, nowhere } from './fetch'
import { brokenLaws, createFinder, runTrial, wires } from './rig'
import { playing } from './speech'

const q = 'a < b && c > "d"\n  {"e": [1]}'
const plan = playing([
  () => ({ text: 'I look.', calls: [{ name: 'data.find', args: { q, limit: 3 } }] }),
  (seen) => ({ text: 'Once more.', calls: [{ name: 'data.find', args: { q: `${seen.length}` } }] }),
  (seen) => ({ text: `It is there: ${seen}.` }),
])
const ways = wires.flatMap((wire) => protocols.map((protocol) => ({ wire, protocol, format: protocol.id })))

describe('a plan in the format that a request asks for', () => {
  test.each(ways)('S2-01 ends alike over $wire in $format', async ({ wire, protocol, format }) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (random) => {
        const server = createFetchServer({ behaviour: (asked) => ({ ...plan(asked), chunks: { random } }) })
        const ran: string[] = []
        const tools = [createFinder(ran)]
        const [placement] = protocol.placements
        if (placement === undefined) throw new Error('a format without a place for results')
        const codec = protocol.open(tools, placement)
        const outcome = await runTrial({ wire, at: nowhere, fetch: server.fetch, tools, deps: { codec } })
        expect(brokenLaws(outcome, server.requests)).toEqual([])
        expect(ran.map((each) => JSON.parse(each))).toEqual([
          { q, limit: 3 },
          { q: `${`found ${q}`.length}` },
        ])
        expect(outcome).toMatchObject({
          status: 'completed',
          answer: `It is there: found ${`found ${q}`.length}.`,
        })
        for (const { body } of server.requests) expect('tools' in body).toBe(format === 'native')
        for (const { text } of outcome.answers) expect(text).not.toMatch(/invoke|tool_call|function_name/)
      }),
      { numRuns: 4 },
    )
  })
})
