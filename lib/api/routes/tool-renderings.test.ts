import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { toolRenderings } from '#lib/wire/tool-renderings'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const create = (config: JsonObject) => house.app.agents.create({ config: { name: 'adder', ...config } })
const asked = async (id: string, more: Ask = {}) =>
  toolRenderings.parse(await (await ask('/api/agents/{id}/tools', of(id, more))).json()).items

describe('S0-05 the tools of an agent as models read them', () => {
  const entry = {
    use: 'builtin',
    tools: ['math.calculate', 'time.now'],
    rename: { 'math.calculate': 'sum.up' },
    description: { 'math.calculate': 'Adds things up.' },
  }

  test('come in every format and in the form of every service', async () => {
    const items = await asked(create({ tools: [entry] }).id)
    expect(items.map(({ name, scopeName, entry: node }) => [name, scopeName, node])).toEqual([
      ['sum.up', 'math.calculate', 'tools/0'],
      ['time.now', 'time.now', 'tools/0'],
    ])
    const [first] = items
    expect(first?.renderings.map(({ format, provider = '' }) => `${format} ${provider}`.trim())).toEqual(
      expect.arrayContaining(['native openai', 'native anthropic', 'xml', 'json', 'json_fence']),
    )
    for (const { format, provider, text, call } of first?.renderings ?? []) {
      expect(text, format).toContain('Adds things up.')
      expect(text, format).toContain('expression')
      if (provider === undefined) {
        expect(text).toContain('sum.up')
        expect(call).toContain('sum.up')
      } else expect(JSON.stringify(JSON.parse(text))).toContain('"sum_up"')
    }
    const textOf = (wanted: string) =>
      first?.renderings.find(({ provider }) => provider === wanted)?.text ?? '{}'
    expect(JSON.parse(textOf('anthropic'))).toMatchObject({
      name: 'sum_up',
      input_schema: { type: 'object' },
    })
    expect(JSON.stringify(JSON.parse(textOf('openai')))).toContain('"type":"function"')
  })

  test('leave out what the policies withhold, and follow a drawing that is not saved', async () => {
    const agent = create({ tools: [entry] })
    const other = create({
      name: 'other',
      tools: [entry],
      policies: [{ use: 'skills', deny: ['math.*'] }],
    })
    expect((await asked(other.id)).map(({ name }) => name)).toEqual(['time.now'])
    const unsaved = await asked(agent.id, { method: 'POST', body: { graph: other.graph } })
    expect(unsaved.map(({ name }) => name)).toEqual(['time.now'])
  })

  test('are refused for an agent that is gone or has errors, and empty without tools', async () => {
    expect((await ask('/api/agents/{id}/tools', of('agent_none'))).status).toBe(404)
    const agent = create({})
    expect(await asked(agent.id)).toEqual([])
    const graph = { ...agent.graph, nodes: [] }
    const refused = await ask('/api/agents/{id}/tools', of(agent.id, { method: 'POST', body: { graph } }))
    expect([refused.status, (await refused.json()).error.code]).toEqual([422, 'not_compiled'])
  })
})
