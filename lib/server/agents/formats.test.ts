import { afterEach, describe, expect, it } from 'vitest'
import { protocols } from '#lib/protocols'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { offline } from '../environment/surroundings.fixture'
import { type House, openHouse, scriptOf } from '../runs/run-house.fixture'
import { assemble } from './assemble'

const houses: House[] = []
afterEach(async () => {
  for (const each of houses.splice(0)) await each.leave()
})

const tools = [{ use: 'builtin', tools: ['math.calculate'] }]
const calling: JsonObject[] = [
  {
    reasoning: 'Better to calculate.',
    text: 'One moment.',
    calls: [
      { name: 'math.calculate', args: { expression: '6 * 7' } },
      { name: 'math.calculate', args: { expression: '2 < 3 ? 1 : 0' } },
    ],
  },
  { text: 'It is **42**.' },
]

async function eventsOf(turns: JsonObject[], protocol: JsonObject): Promise<RunEvent[]> {
  const house = openHouse({ assemble: (text) => assemble(text, offline) })
  houses.push(house)
  const agentId = house.agent(scriptOf(turns, { tools, protocol }))
  const { id } = house.runs.create({ agentId, input: 'What is six times seven?' })
  await house.end(id)
  expect(house.faults).toEqual([])
  return house.stores.runs.events(id)
}

function of<T extends RunEvent['type']>(events: readonly RunEvent[], type: T) {
  return events.filter((each): each is Extract<RunEvent, { type: T }> => each.type === type)
}

const ways = protocols.flatMap(({ id, placements }) =>
  placements.flatMap((resultPlacement) => ['en', 'zh'].map((locale) => ({ id, resultPlacement, locale }))),
)

describe('a run under each format', () => {
  it.each(ways)(
    'S2-01 calls and answers with $id, observations as $resultPlacement, in $locale',
    async (way) => {
      const { id: format, ...rest } = way
      const events = await eventsOf(calling, { format, ...rest })
      expect(of(events, 'run.started')[0]?.protocol).toEqual({
        format,
        resultPlacement: way.resultPlacement,
      })
      expect(of(events, 'call.started').map(({ name, args }) => [name, args])).toEqual([
        ['math.calculate', { expression: '6 * 7' }],
        ['math.calculate', { expression: '2 < 3 ? 1 : 0' }],
      ])
      const [finished] = of(events, 'run.finished')
      expect(finished).toMatchObject({ status: 'completed', answer: 'It is **42**.', steps: 2 })
      const seen = of(events, 'text.delta')
        .map((each) => each.text)
        .join('')
      expect(seen).toMatch(/^One moment\.\n?It is \*\*42\*\*\.$/)
    },
  )
})

describe('what was mended while an answer was read', () => {
  it('is told before the answer, in words', async () => {
    const text = [
      '<function_calls>\n<invoke name="math.calculate">',
      '<parameter name="expression">1 + 1</parameter>',
      '<parameter name="expression">2 + 2</parameter>\n</invoke>\n</function_calls>',
    ].join('\n')
    const events = await eventsOf([{ text }, { text: 'It is four.' }], { format: 'xml' })
    expect(of(events, 'protocol.warned')).toMatchObject([
      { step: 1, warnings: [expect.stringContaining('expression was given more than once')] },
    ])
    const types = events.map((each) => each.type)
    expect(types.indexOf('protocol.warned')).toBe(types.indexOf('model.answered') - 1)
    expect(of(events, 'call.started')).toMatchObject([{ args: { expression: '2 + 2' } }])
  })
})

describe('a call that can not be read', () => {
  const broken = {
    xml: 'I try.\n<function_calls>\n<invoke name="math.calculate">\n<parameter name="expression">6 * 7',
    json_fence: 'I try.\n```json\n{"function_name": "math.calculate", "expression": "6 *',
  }
  it.each(Object.entries(broken))(
    'E-12 S2-10 gets a turn in which it is mended: %s',
    async (format, text) => {
      const events = await eventsOf([{ text }, ...calling], { format })
      const [first] = of(events, 'call.finished')
      expect(first).toMatchObject({ name: 'math.calculate', status: 'error', code: 'truncated' })
      expect(of(events, 'call.started')).toHaveLength(2)
      expect(of(events, 'run.finished')[0]).toMatchObject({ status: 'completed', answer: 'It is **42**.' })
      expect(
        of(events, 'text.delta')
          .map((each) => each.text)
          .join(''),
      ).not.toContain('6 *')
    },
  )
})

describe('S0-15 what a watcher sees of an answer', () => {
  it.each(['native', 'xml'])(
    'S0-15 its words, the call found in it, and the result, under %s',
    async (format) => {
      const events = await eventsOf(calling, { format })
      const order = ['text.delta', 'model.answered', 'call.started', 'call.finished'] as const
      const at = order.map((type) => events.findIndex((each) => each.type === type))
      expect(at.every((each) => each >= 0)).toBe(true)
      expect(at).toEqual(at.toSorted((a, b) => a - b))
      expect(of(events, 'text.delta')[0]?.text).toContain('One moment.')
      const [answered] = of(events, 'model.answered')
      const found = answered?.parts.flatMap((each) => (each.type === 'call' ? [each.name] : []))
      expect(found).toEqual(['math.calculate', 'math.calculate'])
      expect(of(events, 'call.finished').map(({ status }) => status)).toEqual(['ok', 'error'])
    },
  )
})
