/**
 * Checks that a tool, a policy and a provider, each added by one file and one line, work everywhere, from the
 * catalog to the command line.
 */
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldsOf } from '#components/form/fields'
import { paletteSections } from '#components/palette/palette-items'
import { temporaryFolder } from '#db/rows.fixture'
import { main } from '#lib/cli/main'
import { testTerminal } from '#lib/cli/terminal.fixture'
import { canonical } from '#lib/graph/canonical'
import { createCatalog, readConfig } from '#lib/server/agents/catalog'
import { readOutbound } from '#lib/server/environment/environment-outbound'
import { ask, eventsIn, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { type ModelServer, startModelServer } from '../model-server/model-server'
import { allParts } from './all-parts.fixture'

const catalog = createCatalog('1.0.0', allParts)
const kindOf = (name: string) => catalog.kinds.find(({ kind }) => kind === name)

const config: JsonObject = {
  $schema: 'urn:loopwright:agent:1',
  version: 1,
  name: 'gambler',
  model: { provider: 'acme', name: 'acme-large' },
  tools: [{ use: 'builtin', tools: ['dice.throw'] }],
  policies: [{ use: 'few-dice', most: 2 }],
}

describe('the catalog', () => {
  test('has the tool in the palette, with what a call of it takes', () => {
    const items = paletteSections(catalog).flatMap((each) => each.items)
    expect(items.find(({ id }) => id === 'tool:builtin/dice.throw')).toMatchObject({
      label: 'Throw dice',
      name: 'dice.throw',
      icon: 'dices',
      risk: 'read',
      part: { kind: 'tool:builtin', config: { tools: ['dice.throw'] } },
    })
    expect(catalog.tools.find(({ name }) => name === 'dice.throw')?.parameters.properties).toHaveProperty(
      'count',
    )
  })

  test('has a kind of node for the policy, in the palette and with the fields of a form', () => {
    const kind = kindOf('policy:few-dice')
    expect(kind).toMatchObject({ label: 'Few dice', icon: 'dice-5', family: 'policy', scoped: true })
    const policies = paletteSections(catalog).find(({ label }) => label === 'Policies')
    expect(policies?.items.map(({ id }) => id)).toContain('policy:few-dice')
    expect(fieldsOf(kind?.schema ?? {}, {})).toMatchObject([
      { key: 'appliesTo', control: 'globs' },
      { key: 'most', control: 'number', label: 'Most dice', unit: 'dice', fallback: 3 },
    ])
  })

  test('has the provider as a choice of the model node, with its own fields', () => {
    const fields = fieldsOf(kindOf('model')?.schema ?? {}, { provider: 'acme' })
    const [provider, name] = fields
    expect(provider?.control === 'branch' && provider.words.get('acme')).toBe('Acme')
    expect(name).toMatchObject({ key: 'name', control: 'model', fallback: 'acme-large' })
    expect(catalog.providers).toContainEqual({ id: 'acme', label: 'Acme', help: 'Models of Acme.' })
  })

  test('that of the product has none of them', () => {
    const text = JSON.stringify(createCatalog('1.0.0'))
    for (const each of ['dice.throw', 'few-dice', 'acme']) expect(text).not.toContain(each)
    expect(readConfig(config)).toMatchObject({ ok: false })
  })
})

describe('a server with them', () => {
  const variables = { ACME_API_KEY: 'sk-acme-1234567890', ACME_BASE_URL: '' }
  let model: ModelServer
  let house: House
  beforeAll(async () => {
    const call = (count: number) => ({ say: { calls: [{ name: 'dice_throw', args: { count } }] } })
    model = await startModelServer({
      key: variables.ACME_API_KEY,
      behaviour: (_, n) => [call(5), call(2), { say: { text: 'You threw 8.' } }][(n - 1) % 3] ?? { say: {} },
    })
    variables.ACME_BASE_URL = model.openaiUrl
    const outbound = readOutbound(variables, allParts.providers)
    if (!outbound.ok) throw new Error(outbound.error)
    house = openHouse({ parts: allParts, outbound: outbound.value })
  })
  afterAll(async () => {
    await house.end()
    await model.close()
  })

  test('compiles the config from its drawing and back', () => {
    const { graph } = house.app.decompile(config)
    const compiled = house.app.compile(graph)
    expect(compiled.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([])
    const { canvas: _places, ...rest } = JSON.parse(canonical(compiled.config ?? {}, catalog.schema))
    expect(rest).toMatchObject(config)
  })

  test('lists the provider with its label and where its address and key come from, and its prices', async () => {
    const { items } = await (await ask('/api/providers')).json()
    expect(items.map(({ name }: { name: string }) => name)).toEqual(['openai', 'anthropic', 'acme'])
    expect(items[2]).toMatchObject({
      kind: 'acme',
      label: 'Acme',
      baseUrl: model.openaiUrl,
      baseUrlFrom: 'environment',
      key: { from: 'environment' },
      ready: true,
    })
    const { components } = await (await ask('/api/openapi.json')).json()
    expect(components.schemas.Provider.properties.kind.enum).toContain('acme')
    const { prices } = await house.app.settings()
    expect(prices.rows).toContainEqual({ provider: 'acme', model: 'acme-large', input: 1_000, output: 2_000 })
    expect(house.app.providers.save('acme', { idleSeconds: 60 }).problem).toBeUndefined()
    expect(await house.app.providers.test('acme', {}, new AbortController().signal)).toMatchObject({
      ok: true,
      models: ['model-large', 'model-small'],
    })
  })

  test('runs the tool under the policy by a model of the provider', async () => {
    const { graph } = house.app.decompile(config)
    const agent = house.app.agents.create({ graph })
    const run = house.app.runs.create({ agentId: agent.id, input: 'Throw five dice.' })
    for await (const _ of house.app.runs.watch(run.id, 0, new AbortController().signal));
    const events = eventsIn(house.app.runs, run.id)
    const ended = events.flatMap((each) => (each.type === 'call.finished' ? [[each.name, each.status]] : []))
    expect(ended).toEqual([
      ['dice.throw', 'denied'],
      ['dice.throw', 'ok'],
    ])
    const end = events.at(-1)
    expect(end).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'You threw 8.' })
    expect(end?.type === 'run.finished' && end.costUsd).toBeGreaterThan(0)
    expect(model.requests.every(({ headers }) => headers.authorization === 'Bearer sk-acme-1234567890')).toBe(
      true,
    )
  })

  test('and so does the command line, which knows the provider by its variables', async () => {
    const place = temporaryFolder()
    try {
      fs.writeFileSync(path.join(place.folder, 'agent.json'), JSON.stringify(config))
      const at = (env: Record<string, string>) => testTerminal({ folder: place.folder, env })
      const checked = at(variables)
      expect([await main(['validate', 'agent.json'], checked, allParts), checked.printed]).toEqual([
        0,
        'agent.json: valid\n',
      ])
      const lacking = at({})
      expect(await main(['validate', 'agent.json'], lacking, allParts)).toBe(0)
      expect(lacking.printed).toContain('There is no key for Acme. Set ACME_API_KEY')
      const live = at(variables)
      expect(await main(['run', 'agent.json', 'Throw.', '--data', place.folder], live, allParts)).toBe(0)
      expect(live.printed).toBe('You threw 8.\n')
      expect(live.said).toContain('at most 2 dice are thrown at once')
      const keyless = at({})
      await main(['run', 'agent.json', 'Throw.', '--data', place.folder], keyless, allParts)
      expect(keyless.said).toContain('There is no key for Acme at its own address. Set one in ACME_API_KEY.')
      const wrong = at({ ACME_BASE_URL: 'nowhere' })
      await main(['run', 'agent.json', 'Throw.', '--data', place.folder], wrong, allParts)
      expect(wrong.said).toContain(
        'ACME_BASE_URL must be an http or https address, as in ACME_BASE_URL=https://api.acme.example/v1.',
      )
    } finally {
      place.remove()
    }
  })
})
