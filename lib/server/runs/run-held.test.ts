import { renameSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openClient, storesOver } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { isAppError } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import { systemClock } from '../clock'
import { type Given, type House, openHouse, scriptOf } from './run-house.fixture'

let place: ReturnType<typeof temporaryFolder>
let file: string
let client: ReturnType<typeof openClient>
let house: House
/** Damages the database; called by the tool `harm`. */
let harm: () => void

const bodies: Given['bodies'] = {
  harm: {
    effect: 'read',
    run: async () => {
      harm()
      return text('done')
    },
  },
}
const turns: JsonObject[] = [{ calls: [{ name: 'harm' }] }, { text: 'All is well.' }]
/** The real clock, with shorter pauses for tests. */
const clock: Given['clock'] = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
}

beforeEach(() => {
  place = temporaryFolder()
  file = path.join(place.folder, 'loopwright.db')
  start()
  harm = () => undefined
})
afterEach(async () => {
  await house.leave()
  place.remove()
})

function start(): void {
  client = openClient(file)
  house = openHouse({ stores: storesOver(client), folder: place.folder, bodies, clock, concurrency: 1 })
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const unavailable = (words: RegExp) =>
  expect.toSatisfy((error) => isAppError(error) && error.code === 'unavailable' && words.test(error.message))

/** Starts a run, and waits until it meets the fault. */
async function beginAndBreak(how: () => void): Promise<{ id: string; agentId: string }> {
  harm = how
  const agentId = house.agent(scriptOf(turns))
  const { id } = house.runs.create({ agentId, input: 'x' })
  await until(() => house.runs.get(id).status === 'interrupted')
  return { id, agentId }
}

it('while the disk cannot be written a run is held with a reason, and goes on by itself when that is over', async () => {
  const { id, agentId } = await beginAndBreak(() => client.pragma('query_only = on'))
  expect(house.runs.get(id).error).toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/is read-only.*runs are paused/),
  })
  expect(house.stores.runs.get(id)?.status).toBe('running')
  expect(() => house.runs.create({ agentId, input: 'y' })).toThrow(unavailable(/is read-only/))
  harm = () => undefined
  client.pragma('query_only = off')
  await until(() => house.runs.get(id).status === 'completed')
  expect(house.runs.get(id).error).toBeNull()
  expect(house.faults).toEqual([])
  const next = house.runs.create({ agentId, input: 'y' })
  await house.end(next.id)
  expect(house.runs.get(next.id).status).toBe('completed')
})

it('a run is held while its database is moved away, and goes on after a restart with the database', async () => {
  const { id } = await beginAndBreak(() => renameSync(file, `${file}.away`))
  expect(house.runs.get(id).error?.message).toContain('has been moved or deleted')
  expect(house.faults).toEqual([])
  await house.leave()
  renameSync(`${file}.away`, file)
  harm = () => undefined
  start()
  expect(house.stores.runs.get(id)?.status).toBe('running')
  house.runs.recover()
  await house.end(id)
  expect(house.runs.get(id).status).toBe('completed')
})

it('runs in line wait for the end of the fault instead of failing one after the other', async () => {
  harm = () => client.pragma('query_only = on')
  const agentId = house.agent(scriptOf(turns))
  const ids = ['a', 'b', 'c'].map((input) => house.runs.create({ agentId, input }).id)
  const [first = '', ...others] = ids
  await until(() => house.runs.get(first).status === 'interrupted')
  expect(others.map((id) => house.runs.get(id).status)).toEqual(['queued', 'queued'])
  harm = () => undefined
  client.pragma('query_only = off')
  await until(() => ids.every((id) => house.runs.get(id).status === 'completed'))
  expect(house.faults).toEqual([])
})

it('a run that is cancelled while it is held does not go on', async () => {
  const { id } = await beginAndBreak(() => client.pragma('query_only = on'))
  house.runs.cancel(id)
  client.pragma('query_only = off')
  await until(() => house.runs.get(id).status === 'cancelled')
})

it('a decision that cannot be stored is refused in words, and can be taken later', async () => {
  const asking = { policies: [{ use: 'approval', appliesTo: ['harm'] }] }
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns, asking)), input: 'x' })
  await until(() => house.runs.get(id).status === 'waiting')
  client.pragma('query_only = on')
  const decide = () => house.runs.decide(id, 'call_1_1', { decision: 'approve' })
  await expect(decide()).rejects.toThrow(unavailable(/cannot be stored just now/))
  client.pragma('query_only = off')
  await until(() => house.stores.health.check() === undefined)
  await decide()
  await house.end(id)
  expect(house.runs.get(id).status).toBe('completed')
  expect(house.faults).toEqual([])
})

it('a reader of a run that is held is let go, with all that is stored, and may come back when it goes on', async () => {
  const { id } = await beginAndBreak(() => client.pragma('query_only = on'))
  const stored = house.stores.runs.events(id).map(({ seq }) => seq)
  expect(await house.end(id)).toEqual(stored)
  harm = () => undefined
  client.pragma('query_only = off')
  await until(() => house.runs.get(id).status === 'completed')
  const seen = await house.end(id)
  expect(seen).toEqual(seen.map((_, index) => index + 1))
  expect(seen.length).toBeGreaterThan(stored.length)
})

it('a reader who is there when the run is held is let go at once', async () => {
  harm = () => unlinkSync(file)
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns)), input: 'x' })
  await house.end(id)
  expect(house.runs.get(id).status).toBe('interrupted')
  expect(house.faults).toEqual([])
})
