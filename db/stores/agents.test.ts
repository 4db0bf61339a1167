import { afterEach, beforeEach, expect, it } from 'vitest'
import { openClient, storesOver } from '../open'
import { agentRow, temporaryFolder } from '../rows.fixture'

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

it('a list reads the columns of its agents from an index, and nothing of their drawings', () => {
  const client = openClient(`${place.folder}/loopwright.db`)
  const { agents, close } = storesOver(client)
  agents.insert(agentRow({ id: 'agent_b', name: 'b' }))
  agents.insert(agentRow({ id: 'agent_a', name: 'a' }))
  agents.insert(agentRow({ id: 'agent_c', name: 'c' }))
  agents.remove('agent_c', 1)
  expect(agents.heads().map(({ id }) => id)).toEqual(['agent_a', 'agent_b'])

  const columns = Object.keys(agents.heads()[0] ?? {}).map((key) =>
    key.replace(/[A-Z]/, (sign) => `_${sign.toLowerCase()}`),
  )
  const plan = client
    .prepare(
      `explain query plan select ${columns.join(', ')} from agents where removed_at is null order by name`,
    )
    .all()
  expect(plan).toMatchObject([{ detail: 'SCAN agents USING COVERING INDEX agents_heads' }])
  close()
})

it('what a run needs of an agent is read without its drawing, unless this version cannot read the drawing', () => {
  const client = openClient(`${place.folder}/loopwright.db`)
  const { agents, close } = storesOver(client)
  const row = agentRow({ id: 'agent_a', name: 'a', config: '{"name":"a"}', configHash: 'hash' })
  agents.insert(row)
  const needed = {
    id: 'agent_a',
    name: 'a',
    config: '{"name":"a"}',
    configHash: 'hash',
    origins: row.origins,
  }
  expect(agents.runnable('agent_a')).toMatchObject(needed)
  expect(agents.runnable('agent_a')).toEqual(needed)
  agents.update({ ...row, config: '{"name":"b"}', revision: row.revision + 1 })
  expect(agents.runnable('agent_a')?.config).toBe('{"name":"b"}')
  client.prepare('update agents set graph = ?, revision = revision + 1').run('{"later":1}')
  expect(agents.runnable('agent_a')).toMatchObject({ config: null, configHash: null })
  agents.remove('agent_a', 1)
  expect(agents.runnable('agent_a')).toBeUndefined()
  close()
})
