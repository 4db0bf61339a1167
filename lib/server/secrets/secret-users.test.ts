import { afterEach, expect, test, vi } from 'vitest'
import { agentRow } from '#db/rows.fixture'
import { type House, openHouse } from '../house.fixture'
import { createSecrets } from './secret-registry'
import { createAgentsBySecret } from './secret-users'
import type { Vault } from './secrets'

let house: House | undefined
afterEach(async () => {
  await house?.end()
  house = undefined
})

test('a secret tells which agents name it in a request, an API or a hook, and code that looks the same is none', () => {
  house = openHouse()
  const { app } = house
  app.secrets.save('WEATHER_KEY', { value: 'a-long-secret-value', origins: ['https://api.example.com'] })
  app.secrets.save('OTHER_KEY', { value: 'another-secret-value', origins: [] })
  const request = {
    use: 'http',
    name: 'weather',
    description: 'The weather.',
    url: 'https://api.example.com/now',
    headers: { 'X-Key': { secret: 'WEATHER_KEY' } },
  }
  const code = {
    use: 'code',
    name: 'seems',
    source: 'return 1',
    parameters: { type: 'object', properties: { a: { type: 'string', default: { secret: 'OTHER_KEY' } } } },
  }
  const hook = {
    use: 'hook',
    on: 'pre_acting',
    url: 'https://api.example.com/hook',
    headers: { Authorization: { secret: 'WEATHER_KEY' } },
  }
  app.agents.create({ config: { name: 'asker', tools: [request, code] } })
  app.agents.create({ config: { name: 'watcher', policies: [hook] } })
  app.agents.create({ config: { name: 'idle' } })
  const users = Object.fromEntries(
    app.secrets.list().items.map(({ name, usedBy }) => [name, [...usedBy].sort()]),
  )
  expect(users).toEqual({ OTHER_KEY: [], WEATHER_KEY: ['agent:asker', 'agent:watcher'] })
})

test('S3-22 a published version that names a secret is a user of it, also when the draft no longer is', () => {
  house = openHouse()
  const { app } = house
  app.secrets.save('WEATHER_KEY', { value: 'a-long-secret-value', origins: [] })
  app.secrets.save('OTHER_KEY', { value: 'another-secret-value', origins: [] })
  const hook = (secret: string) => ({
    use: 'hook',
    on: 'pre_acting',
    url: 'https://api.example.com/hook',
    headers: { Authorization: { secret } },
  })
  const code = {
    use: 'code',
    name: 'seems',
    source: 'return 1',
    parameters: { type: 'object', default: { secret: 'OTHER_KEY' } },
  }
  const { id } = app.agents.create({
    config: { name: 'watcher', policies: [hook('WEATHER_KEY')], tools: [code] },
  })
  app.agents.publish(id, {})
  app.agents.publish(id, {})
  const users = () =>
    Object.fromEntries(app.secrets.list().items.map(({ name, usedBy }) => [name, [...usedBy]]))
  const published = ['agent:watcher@2', 'agent:watcher@1']
  expect(users()).toEqual({ OTHER_KEY: [], WEATHER_KEY: ['agent:watcher', ...published] })
  app.agents.save(id, { revision: app.agents.get(id).revision, config: { name: 'watcher' } })
  expect(users()).toEqual({ OTHER_KEY: [], WEATHER_KEY: published })
})

test('a revision and a version are read once, a version without a secret too, and only new ones after that', () => {
  const row = agentRow({ id: 'agent_1', name: 'watcher' })
  const config = (secret: string) =>
    JSON.stringify({ tools: [{ use: 'http', headers: { 'X-Key': { secret } } }] })
  const configs = [config('FIRST_KEY'), '{"tools":[]}', config('SECOND_KEY')]
  const heads = [row]
  let reads: string[] = []
  const agentsBySecret = createAgentsBySecret({
    heads: () => heads,
    get: (id) => {
      reads.push(id)
      return row
    },
    versionKeys: () => configs.map((_, at) => ({ agentId: row.id, name: row.name, version: at + 1 })),
    configWith: (_, version, text) => {
      reads.push(`version ${version}`)
      return configs[version - 1]?.includes(text) ? configs[version - 1] : undefined
    },
  })
  const listed = () => {
    reads = []
    const users = Object.fromEntries(agentsBySecret())
    return { users, reads }
  }
  const users = { FIRST_KEY: ['agent:watcher@1'], SECOND_KEY: ['agent:watcher@3'] }
  expect(listed()).toEqual({ users, reads: ['agent_1', 'version 1', 'version 2', 'version 3'] })
  expect(listed()).toEqual({ users, reads: [] })
  configs.push(config('FIRST_KEY'))
  heads[0] = { ...row, revision: row.revision + 1 }
  expect(listed()).toEqual({
    users: { ...users, FIRST_KEY: ['agent:watcher@1', 'agent:watcher@4'] },
    reads: ['agent_1', 'version 4'],
  })
})

test('for one secret, a version is parsed only if it has the name in it, and what was left out is not forgotten', () => {
  const row = agentRow({ id: 'agent_1', name: 'watcher' })
  const headers = { first: { secret: 'FIRST_KEY' }, second: { secret: 'SECOND_KEY' } }
  const configs = [headers, { second: headers.second }].map((each) =>
    JSON.stringify({ tools: [{ use: 'http', headers: each }] }),
  )
  let parsed = 0
  const agentsBySecret = createAgentsBySecret({
    heads: () => [],
    get: () => undefined,
    versionKeys: () => configs.map((_, at) => ({ agentId: row.id, name: row.name, version: at + 1 })),
    configWith: (_, version, text) => {
      const config = configs[version - 1]
      if (config?.includes(text) !== true) return undefined
      parsed += 1
      return config
    },
  })
  expect([agentsBySecret('FIRST_KEY').get('FIRST_KEY'), parsed]).toEqual([['agent:watcher@1'], 1])
  expect(agentsBySecret().get('SECOND_KEY')).toEqual(['agent:watcher@1', 'agent:watcher@2'])
  expect([agentsBySecret('SECOND_KEY').get('SECOND_KEY')?.length, parsed]).toEqual([2, 3])
})

test('without a secret, no agent is read for the list', () => {
  const users = vi.fn(() => () => [])
  const vault = { list: () => [] } as unknown as Vault // cast: the list asks for nothing else
  expect(createSecrets({ vault, users }).list()).toEqual({ items: [] })
  expect(users).not.toHaveBeenCalled()
})
