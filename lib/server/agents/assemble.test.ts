import { describe, expect, it } from 'vitest'
import { offerOf } from '#lib/agent/request/offering'
import type { JsonObject } from '#lib/spec/json'
import type { ModelRequest } from '#lib/spec/model'
import { offline as context, wellKept } from '../environment/surroundings.fixture'
import { assemble } from './assemble'
import { readConfig } from './catalog'
import { readiness } from './readiness'

const config: JsonObject = {
  name: 'a',
  instructions: 'Be brief.',
  tools: [
    { use: 'builtin', tools: ['sql.execute', 'schema.*'], preset: { 'sql.execute': { database: 'retail' } } },
    { use: 'builtin', tools: ['math.*'], timeoutSeconds: 3 },
  ],
  policies: [
    { use: 'skills', deny: ['schema.*'] },
    { use: 'steps', max: 4 },
  ],
}

describe('assembling', () => {
  it('makes the live parts of a config', async () => {
    const assembled = await assemble(config, context)
    if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
    const { tools, codec, policies, model, modelTimeoutSeconds, instructions } = assembled.value
    expect(tools.map((each) => [each.name, each.node])).toEqual([
      ['sql.execute', 'tools/0'],
      ['schema.list_columns', 'tools/0'],
      ['schema.list_tables', 'tools/0'],
      ['math.calculate', 'tools/1'],
    ])
    expect(tools.at(-1)?.timeoutSeconds).toBe(3)
    expect(codec.offered.map((each) => each.name)).toEqual(['sql.execute', 'math.calculate'])
    expect(codec.offered[0]?.wire.parameters.properties).not.toHaveProperty('database')
    expect(policies.map((each) => each.node)).toEqual(['policies/0', 'policies/1', 'agent'])
    expect([model.provider, model.name, modelTimeoutSeconds, instructions]).toEqual([
      'scripted',
      'demo',
      300,
      'Be brief.',
    ])
  })

  it('asks a person before sql.write, unless the entry or a policy says otherwise', async () => {
    const asks = async (tools: JsonObject[], policies: JsonObject[] = []) => {
      const assembled = await assemble({ name: 'a', tools, policies }, context)
      if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
      const { asks: asked } = offerOf(assembled.value)
      const own = assembled.value.policies.filter(({ use }) => use === 'approval').map(({ node }) => node)
      return { asked: [...asked], own }
    }
    const both = { use: 'builtin', tools: ['sql.write', 'sql.execute'] }
    expect(await asks([both])).toEqual({ asked: ['sql.write'], own: ['agent'] })
    expect(await asks([{ ...both, rename: { 'sql.write': 'change' } }])).toMatchObject({ asked: ['change'] })
    expect(await asks([{ ...both, askFirst: false }])).toEqual({ asked: [], own: [] })
    expect(await asks([both], [{ use: 'approval', appliesTo: ['sql.*'] }])).toEqual({
      asked: ['sql.write', 'sql.execute'],
      own: ['policies/0'],
    })
    expect(await asks([both], [{ use: 'approval', appliesTo: ['sql.execute'] }])).toEqual({
      asked: ['sql.write', 'sql.execute'],
      own: ['policies/0', 'agent'],
    })
    expect(await asks([{ use: 'builtin', tools: ['sql.execute'] }])).toEqual({ asked: [], own: [] })
  })

  it('takes the text of a config, and the model’s own time limit', async () => {
    const model = { provider: 'scripted', name: 'script', turns: [{ text: 'Hi' }], timeoutSeconds: 9 }
    const assembled = await assemble(JSON.stringify({ name: 'a', model }), context)
    expect(assembled).toMatchObject({
      ok: true,
      value: { modelTimeoutSeconds: 9, model: { name: 'script' } },
    })
  })

  it('answers a config that does not fit with diagnostics', async () => {
    expect(await assemble('{', context)).toMatchObject({ ok: false, error: [{ code: 'invalid_json' }] })
    expect(await assemble({}, context)).toMatchObject({
      ok: false,
      error: [{ code: 'missing', path: 'name' }],
    })
    expect(await assemble({ name: 'a', tools: [{ use: 'soap' }] }, context)).toMatchObject({
      ok: false,
      error: [{ code: 'unknown_part', path: 'tools/0/use' }],
    })
  })
})

describe('the tool that switches groups', () => {
  const grouped = (deny: string[]): JsonObject => ({
    name: 'a',
    tools: [
      { use: 'builtin', tools: ['time.now'] },
      { use: 'builtin', tools: ['math.*'], group: 'numbers' },
      { use: 'builtin', tools: ['sql.execute', 'schema.*'], group: 'data' },
    ],
    groups: [{ name: 'numbers' }, { name: 'data' }],
    policies: [{ use: 'skills', deny }],
  })
  const groupsOffered = async (deny: string[]) => {
    const assembled = await assemble(grouped(deny), context)
    if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
    const equip = assembled.value.codec.offered.find(({ name }) => name === 'tools.equip')
    return equip && Object.keys(equip.wire.parameters.properties ?? {})
  }

  it('E-23 leaves out a group whose tools are all denied, and keeps one of which a tool is left', async () => {
    expect(await groupsOffered([])).toEqual(['numbers', 'data'])
    expect(await groupsOffered(['math.*'])).toEqual(['data'])
    expect(await groupsOffered(['schema.*'])).toEqual(['numbers', 'data'])
    expect(await groupsOffered(['math.*', 'schema.*', 'sql.*'])).toBeUndefined()
  })
})

describe('a model for summaries', () => {
  const summing = (model: JsonObject, how = 'summarize'): JsonObject => ({
    name: 'a',
    policies: [
      { use: 'steps', max: 4 },
      { use: 'context', how, model },
    ],
  })

  it('is connected with its own window and price', async () => {
    const priceOf = ({ model }: { model: string }) =>
      model === 'claude-haiku-4-5' ? { input: 1, output: 5 } : undefined
    const given = summing({ provider: 'anthropic', name: 'claude-haiku-4-5' })
    const assembled = await assemble(given, { ...context, priceOf })
    if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
    expect(assembled.value.summaryModel).toMatchObject({
      client: { provider: 'anthropic', name: 'claude-haiku-4-5' },
      contextWindow: 200_000,
      price: { input: 1, output: 5 },
    })
    expect(assembled.value.model.provider).toBe('scripted')
  })

  it('is not connected where no summary is ever asked for', async () => {
    const assembled = await assemble(summing({ provider: 'anthropic', name: 'x' }, 'clear'), context)
    expect(assembled.ok && assembled.value.summaryModel).toBe(undefined)
  })

  it('that this program cannot connect is an error at its key', async () => {
    const unknown = await assemble(summing({ provider: 'nobody', name: 'x' }), context)
    expect(unknown).toMatchObject({
      ok: false,
      error: [{ code: 'part_missing', path: 'policies/1/model/provider' }],
    })
    const endpoint = await assemble(summing({ provider: 'openai-compatible', name: 'x' }), context)
    expect(endpoint).toMatchObject({ ok: false, error: [{ path: 'policies/1/model/endpoint' }] })
  })

  it('that lacks a key, or a price for a budget in dollars, is a warning', () => {
    const config: JsonObject = {
      name: 'a',
      policies: [
        { use: 'context', how: 'both', model: { provider: 'anthropic', name: 'small' } },
        { use: 'budget', usd: 1 },
      ],
    }
    const read = readConfig(config)
    if (!read.ok) throw new Error(JSON.stringify(read.error))
    const lackOf = ({ provider }: { provider: string }) =>
      provider === 'anthropic'
        ? { code: 'key_missing' as const, message: 'There is no key.', path: 'model/provider' }
        : undefined
    expect(readiness(read.value, { ...wellKept, lackOf }).map(({ code, path }) => [code, path])).toEqual([
      ['key_missing', 'policies/0/model/provider'],
      ['price_unknown', 'policies/1/usd'],
    ])
  })
})

describe('readiness', () => {
  it('names each database that is not registered, once and with its path', () => {
    const preset = {
      'sql.execute': { database: 'sales', limit: 5 },
      'schema.list_tables': { database: 'retail' },
    }
    const read = readConfig({ name: 'a', tools: [{ use: 'builtin', tools: ['*'], preset }] })
    if (!read.ok) throw new Error('no config')
    expect(readiness(read.value, { ...wellKept, databases: ['retail'] })).toEqual([
      {
        severity: 'warning',
        code: 'database_missing',
        message:
          'No database "sales" is registered on this server. Register it under Settings, or choose another.',
        path: 'tools/0/preset/sql.execute/database',
      },
    ])
    expect(readiness(read.value, { ...wellKept, databases: ['retail', 'sales'] })).toEqual([])
  })
})

describe('a model for the names of tools', () => {
  const naming = async (model: JsonObject, generate: boolean) => {
    const assembled = await assemble({ name: 'a', model, policies: [{ use: 'personas', generate }] }, context)
    if (!assembled.ok) throw new Error(JSON.stringify(assembled.error))
    return assembled.value
  }
  const request: ModelRequest = { instructions: '', messages: [], tools: [], step: 1, attempt: 1 }

  it('S1-23 is the agent’s own at temperature 0.01 and without one, whatever that of its answers', async () => {
    for (const [provider, temperature] of [
      ['openai', 0.7],
      ['anthropic', undefined],
    ] as const) {
      const made = await naming({ provider, name: 'm', ...(temperature && { temperature }) }, true)
      const { namingModel, model } = made
      const cool = JSON.parse(namingModel?.cool.encode(request) ?? '')
      const plain = JSON.parse(namingModel?.plain.encode(request) ?? '')
      expect([cool.model, cool.temperature]).toEqual(['m', 0.01])
      expect([plain.model, 'temperature' in plain]).toEqual(['m', false])
      expect(JSON.parse(model.encode(request)).temperature).toBe(temperature)
    }
  })

  it('S1-23 is not another one where no names are generated, or where a model has no temperature', async () => {
    expect((await naming({ provider: 'openai', name: 'm' }, false)).namingModel).toBeUndefined()
    expect((await naming({ provider: 'scripted', name: 'demo' }, true)).namingModel).toBeUndefined()
  })
})
