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
