import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { agentRow, temporaryFolder } from '#db/rows.fixture'
import { Database } from '#lib/sqlite/driver'
import { agentList } from '#lib/wire/agents'
import { type House, openHouse } from '../house.fixture'

const place = temporaryFolder()
let house: House | undefined
afterEach(async () => {
  await house?.end()
  place.remove()
})

test('S3-24 a stored agent that this program can not read is flagged, and the others load', () => {
  const file = path.join(place.folder, 'loopwright.db')
  const stores = openStores(file)
  const add = (name: string, config: unknown) => {
    const text = typeof config === 'string' ? config : JSON.stringify(config)
    stores.agents.insert(agentRow({ id: `agent_${name}`, name, config: text, configHash: `hash of ${name}` }))
  }
  add('good', { name: 'good' })
  add('later', { name: 'later', model: { provider: 'telepathy', name: 'x' } })
  add('cut', '{"name":"cut"')
  add('drawn', { name: 'drawn' })
  add('torn', { name: 'torn' })
  stores.close()
  const raw = new Database(file)
  raw.prepare("update agents set graph = '{\"version\":9}' where name = 'drawn'").run()
  raw.prepare("update agents set graph = '{' where name = 'torn'").run()
  raw.close()

  house = openHouse({ folder: place.folder })
  const { agents, runs } = house.app
  const { items } = agentList.parse(agents.list())
  expect(items.map(({ name, runnable }) => [name, runnable])).toEqual([
    ['cut', false],
    ['drawn', false],
    ['good', true],
    ['later', false],
    ['torn', false],
  ])
  const problemOf = (name: string) => items.find((each) => each.name === name)?.problem
  expect(problemOf('good')).toBeUndefined()
  expect(problemOf('later')).toContain('telepathy')
  expect(problemOf('cut')).toContain('not valid JSON')
  expect(problemOf('drawn')).toContain('cannot be read')

  expect(agents.get('agent_later').diagnostics).not.toEqual([])
  expect(() => agents.get('agent_torn')).toThrow('cannot be read')
  const save = { revision: 1, config: { name: 'torn' } }
  expect(() => agents.save('agent_torn', save)).toThrow('cannot be read')
  expect(() => runs.create({ agentId: 'agent_torn', input: 'Hello' })).toThrow()
  expect(runs.create({ agentId: 'agent_good', input: 'Hello' }).status).toBe('queued')
  agents.remove('agent_torn')
})
