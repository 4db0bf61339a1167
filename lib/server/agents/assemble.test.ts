import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
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
    expect(await assemble({ name: 'a', tools: [{ use: 'mcp' }] }, context)).toMatchObject({
      ok: false,
      error: [{ code: 'unknown_part', path: 'tools/0/use' }],
    })
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
