import { expect, it } from 'vitest'
import type { EventOf } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { assemble } from '../agents/assemble'
import { freshState } from '../agents/called-agents'
import { explainCall } from '../agents/dry-run-call'
import { offline } from '../environment/surroundings.fixture'
import { engine, type House, openHouse, scriptOf } from './run-house.fixture'

const groups: JsonObject[] = [
  { name: 'files', description: 'Work with files.', notes: 'Paths have no slash in front.' },
  { name: 'math', active: true },
]
const tools: JsonObject[] = [
  { use: 'builtin', tools: ['time.now'] },
  { use: 'builtin', tools: ['files.list'], group: 'files' },
  { use: 'builtin', tools: ['math.calculate'], group: 'math' },
]
const equip = (args: Record<string, boolean | string>) => ({
  calls: [{ name: 'reset_equipped_tools', args }],
})

function requestsOf(house: House, runId: string): string[] {
  const sent = house.stores.runs.events(runId).filter((each) => each.type === 'model.requested')
  return (sent as EventOf<'model.requested'>[]).map((each) => each.tools.map(({ name }) => name).join(' ')) // cast: filtered by type
}

async function ask(house: House, agentId: string, threadId?: string) {
  const row = house.runs.create({ agentId, input: 'Go.', ...(threadId !== undefined && { threadId }) })
  await house.end(row.id)
  return row
}

const withFiles = 'time.now tools.equip files.list'
const atFirst = 'time.now math.calculate tools.equip'

it('S4-33 keeps the active groups of a thread from run to run and over a restart, and gives another thread its own', async () => {
  const house = openHouse()
  const agent = house.agent(scriptOf([equip({ files: true }), { text: 'done' }], { tools, groups }))
  const first = await ask(house, agent)
  expect(requestsOf(house, first.id)).toEqual([atFirst, withFiles])
  await house.runs.drain(2_000)
  house.stores.close()

  const again = house.reopen()
  const second = await ask(again, agent, first.threadId)
  expect(requestsOf(again, second.id)).toEqual([
    'time.now files.list tools.equip',
    'time.now files.list tools.equip',
  ])
  const third = await ask(again, agent, first.threadId)
  expect(requestsOf(again, third.id)[0]).toBe('time.now files.list tools.equip')
  const other = await ask(again, agent)
  expect(requestsOf(again, other.id)[0]).toBe(atFirst)
  for (const step of [1, 2]) expect((await again.runs.request(first.id, step)).exact).toBe(true)
  await again.leave()
})

it('S4-08 returns the notes of the active groups, switches all others off, and says what is no boolean', async () => {
  const house = openHouse()
  const turns = [equip({ files: true, math: true }), equip({}), equip({ files: 'perhaps' }), { text: 'done' }]
  const row = await ask(house, house.agent(scriptOf(turns, { tools, groups })))
  const results = house.stores.runs.events(row.id).filter((each) => each.type === 'call.finished')
  const texts = (results as EventOf<'call.finished'>[]).map(({ result }) => result.text) // cast: filtered by type
  expect(texts[0]).toBe(
    'Active groups: files, math. Their tools can be called from the next step on.\n\n<notes group="files">\nPaths have no slash in front.\n</notes>',
  )
  expect(texts[1]).toBe('No group is active now.')
  expect(texts[2]).toMatch(/^Error: .*files/)
  expect(requestsOf(house, row.id)).toEqual([
    atFirst,
    'time.now math.calculate tools.equip files.list',
    'time.now tools.equip',
    'time.now tools.equip',
  ])
  await house.leave()
})

it('S4-08 is offered whatever the skills allow, but not when they deny it', async () => {
  const offered = async (settings: Record<string, string[]>) => {
    const policies = [{ use: 'skills', ...settings }]
    const assembled = await assemble(scriptOf([], { tools, groups, policies }), offline)
    return assembled.ok ? assembled.value.codec.offered.map(({ name }) => name) : []
  }
  expect(await offered({ allow: ['time.*', 'files.*'] })).toEqual(['time.now', 'tools.equip'])
  expect(await offered({ deny: ['tools.*'] })).toEqual(['time.now', 'math.calculate'])
})

it('S4-09 refuses groups of one name, the name basic, and a group that does not exist', async () => {
  const faults = async (more: {
    groups?: { name: string }[]
    tools?: { use: string; tools: string[]; group: string }[]
  }) => {
    const assembled = await assemble(scriptOf([], more), offline)
    return assembled.ok ? [] : assembled.error.map(({ path, message }) => `${path}: ${message}`)
  }
  expect(await faults({ groups: [{ name: 'web' }, { name: 'web' }] })).toEqual([
    'groups/1/name: Another group is named "web" as well.',
  ])
  expect(await faults({ groups: [{ name: 'basic' }] })).toEqual([
    'groups/0/name: "basic" is the group that is always active.',
  ])
  expect(await faults({ tools: [{ use: 'builtin', tools: ['time.now'], group: 'gone' }] })).toEqual([
    'tools/0/group: There is no group "gone".',
  ])
})

it('E-23 the dry run refuses a call of an inactive group, and allows it after a run that switched the group on', async () => {
  const assembled = await assemble(scriptOf([], { tools, groups }), offline)
  if (!assembled.ok) throw new Error('the config fits')
  const state = freshState(engine)
  const call = { tool: 'files_list', args: {} }
  expect(explainCall(assembled.value, state, call).outcome).toMatchObject({ type: 'refused', code: 'denied' })
  state.groups = ['files']
  expect(explainCall(assembled.value, state, call).outcome).toMatchObject({ type: 'runs' })
})
