import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { agentKeys, commonToolKeys } from '#lib/spec/config'
import { fixedValue, httpValue } from '#lib/spec/http'
import { toJsonSchema } from '#lib/spec/json'
import { fieldsOf, findingOf, findingsIn, findingsUnder, freshOf, withKey, withPreset } from './fields'

const controls = (schema: z.ZodType, value = {}) =>
  fieldsOf(toJsonSchema(schema), value).map(({ key, control }) => `${key}: ${control}`)

describe('fields of a form', () => {
  it('gives the agent its keys in order, prose on many lines', () => {
    expect(controls(z.strictObject(agentKeys))).toEqual([
      'name: text',
      'title: text',
      'description: multiline',
      'instructions: multiline',
      'nextStepPrompt: multiline',
      'interruptReply: multiline',
    ])
  })

  it('knows presets, globs, plain lists and free JSON', () => {
    const schema = z.strictObject({
      ...commonToolKeys,
      deny: z.array(z.string()).meta({ format: 'globs' }),
      words: z.array(z.string()),
      turns: z.array(z.object({ text: z.string() })),
      free: z.json(),
    })
    expect(controls(schema)).toEqual([
      'preset: preset',
      'timeoutSeconds: number',
      'cache: switch',
      'risk: select',
      'effect: select',
      'description: per-tool',
      'rename: per-tool',
      'example: per-tool',
      'xml: per-tool',
      'retry: object',
      'final: switch',
      'background: switch',
      'pick: per-tool',
      'onDuplicate: select',
      'weight: per-tool',
      'core: per-tool',
      'visible: per-tool',
      'deny: globs',
      'words: list',
      'turns: items',
      'free: json',
    ])
  })

  it('takes unit, bounds and default of a number', () => {
    const schema = z.strictObject({
      max: z.int().min(1).max(50).default(10).meta({ title: 'Most steps', unit: 'steps' }),
    })
    expect(fieldsOf(toJsonSchema(schema), {})[0]).toEqual({
      key: 'max',
      label: 'Most steps',
      hint: '',
      fallback: 10,
      isRequired: false,
      control: 'number',
      isWhole: true,
      step: 1,
      unit: 'steps',
      min: 1,
      max: 50,
    })
  })

  it('offers an enum as a choice and a boolean as a switch', () => {
    expect(controls(z.strictObject({ when: z.enum(['a', 'b']), on: z.boolean() }))).toEqual([
      'when: select',
      'on: switch',
    ])
  })

  it('shows the fields of the branch whose constant stands in the value, and the choice between branches', () => {
    const one = z.strictObject({ provider: z.literal('one'), name: z.string() })
    const two = z.strictObject({ provider: z.literal('two'), key: z.int() })
    const schema = z.discriminatedUnion('provider', [one, two])
    expect(controls(schema, { provider: 'two' })).toEqual(['provider: branch', 'key: number'])
    expect(controls(schema, { provider: 'none such' })).toEqual(['provider: branch', 'name: text'])
    expect(controls(z.discriminatedUnion('provider', [one]), { provider: 'one' })).toEqual(['name: text'])
  })

  it('knows names of models and endpoints, program text, and a word or an object', () => {
    const schema = z.strictObject({
      endpoint: z.string().meta({ format: 'endpoint' }),
      name: z.string().meta({ format: 'model' }),
      source: z.string().meta({ format: 'code' }),
      server: z.string().meta({ format: 'mcp-server' }),
      enable: z.array(z.string()).meta({ format: 'mcp-tools' }),
      choice: z.union([z.enum(['auto', 'none']), z.strictObject({ tool: z.string() })]).default('auto'),
      strange: z.union([z.enum(['a']), z.strictObject({ b: z.number() })]),
    })
    expect(controls(schema)).toEqual([
      'endpoint: endpoint',
      'name: model',
      'source: code',
      'server: mcp-server',
      'enable: mcp-tools',
      'choice: either',
      'strange: json',
    ])
    expect(fieldsOf(toJsonSchema(schema), {})[5]).toMatchObject({ options: ['auto', 'none'], holds: 'tool' })
  })

  it('edits objects and lists of objects as forms within the form, and names of one’s own as a map', () => {
    const schema = z.strictObject({
      retry: z.strictObject({ max: z.int(), backoffMs: z.int() }),
      groups: z.array(z.strictObject({ name: z.string(), active: z.boolean() })).max(3),
      rename: z.record(z.string(), z.string()),
      on: z.array(z.enum(['reply', 'acting'])),
      parameters: z.record(z.string(), z.json()).meta({ format: 'parameters' }),
    })
    expect(controls(schema)).toEqual([
      'retry: object',
      'groups: items',
      'rename: map',
      'on: choices',
      'parameters: parameters',
    ])
    expect(fieldsOf(toJsonSchema(schema), {})[1]).toMatchObject({ most: 3 })
  })

  it('knows a secret by its shape, alone or where a plain text may stand, too', () => {
    const secret = z.strictObject({ secret: z.string() })
    const schema = z.strictObject({
      key: secret,
      token: z.union([z.string(), secret]),
      headers: z.record(z.string(), z.union([z.string(), secret])),
    })
    expect(fieldsOf(toJsonSchema(schema), {})).toMatchObject([
      { control: 'secret', orText: false },
      { control: 'secret', orText: true },
      { control: 'map' },
    ])
  })

  it('gives small amounts small steps', () => {
    const schema = z.strictObject({
      temperature: z.number().min(0).max(2),
      seconds: z.number(),
      max: z.int(),
    })
    expect(fieldsOf(toJsonSchema(schema), {})).toMatchObject([{ step: 0.1 }, { step: 1 }, { step: 1 }])
  })

  it('begins a new item with what must be in it', () => {
    const item = z.strictObject({
      name: z.string(),
      max: z.int().min(1),
      on: z.boolean().default(true),
      key: z.strictObject({ secret: z.string() }),
    })
    expect(freshOf(toJsonSchema(item))).toEqual({ name: '', max: 1, key: { secret: '' } })
  })

  it('says what must be filled in', () => {
    expect(
      fieldsOf(toJsonSchema(z.strictObject({ a: z.string(), b: z.string().default('') })), {}).map(
        (each) => each.isRequired,
      ),
    ).toEqual([true, false])
  })
})

describe('findings of a field', () => {
  const findings = findingsIn(
    [{ path: 'tools/0/preset/sql.execute', message: 'unknown tool' }, { message: 'about the node' }],
    'tools/0',
  )
  it('are those whose path leads to its key, at any depth', () => {
    expect(findingOf(findings, 'preset')).toBe('unknown tool')
    expect(findingOf(findings, 'tools')).toBeUndefined()
    expect(findingOf(findingsIn([{ path: 'name', message: 'bad name' }], 'agent'), 'name')).toBe('bad name')
  })

  it('go on into the form within, by their places there', () => {
    expect(findingsUnder(findings, 'preset')).toEqual([{ path: 'sql.execute', message: 'unknown tool' }])
    expect(findingsUnder(findings, 'pre')).toEqual([])
  })
})

describe('keys of an object', () => {
  it('are set in place and taken away', () => {
    expect(Object.keys(withKey({ a: 1, b: 2 }, 'a', 3))).toEqual(['a', 'b'])
    expect(withKey({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 })
  })
})

describe('preset values', () => {
  it('are set and taken away argument by argument, leaving nothing empty behind', () => {
    const one = withPreset(undefined, 'sql.execute', 'database', 'retail')
    expect(one).toEqual({ 'sql.execute': { database: 'retail' } })
    expect(withPreset(one, 'sql.execute', 'maxRows', 5)).toEqual({
      'sql.execute': { database: 'retail', maxRows: 5 },
    })
    expect(withPreset(one, 'sql.execute', 'database', undefined)).toBeUndefined()
    expect(one).toEqual({ 'sql.execute': { database: 'retail' } })
  })

  it('gives values of requests a control of their own, with parameters where there are any', () => {
    const schema = z.strictObject({ header: httpValue, fixed: fixedValue })
    expect(fieldsOf(toJsonSchema(schema), {})).toMatchObject([
      { control: 'http-value', canBeParameter: true },
      { control: 'http-value', canBeParameter: false },
    ])
  })
})
