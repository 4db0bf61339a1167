import { afterEach, expect, test } from 'vitest'
import { type House, openHouse } from '../house.fixture'

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
