import { unlinkSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { StoreHealth, StoreTrouble } from '#lib/spec/store-health'
import { ask, type House, openHouse } from './house.fixture'
import { watchStorage } from './storage'

const duplicateRoute = '/api/agents/{id}/duplicate'
const healthRoute = '/api/health'
const runsRoute = '/api/runs'

let house: House | undefined
afterEach(async () => {
  vi.useRealTimers()
  await house?.end()
  house = undefined
})

it('health says 503 and what is wrong when the database is deleted, and the log says it once', async () => {
  const lines: string[] = []
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(String(line)))
  house = openHouse({ examples: path.resolve('examples') })
  expect((await ask(healthRoute)).status).toBe(200)
  const id = house.app.agents.list().items[0]?.id ?? ''
  unlinkSync(path.join(house.folder, 'loopwright.db'))
  for (let turn = 0; turn < 5; turn++) {
    const answer = await ask(healthRoute)
    const { error: told } = await answer.json()
    expect([answer.status, told.code]).toEqual([503, 'unavailable'])
    expect(told.message).toContain('The database file loopwright.db has been moved or deleted')
    expect(told.message).not.toContain(house.folder)
    const saved = await ask(duplicateRoute, { method: 'POST', params: { id } })
    expect([saved.status, (await saved.json()).error.message]).toEqual([503, told.message])
    expect((await ask(runsRoute)).status).toBe(200)
  }
  await house.leave()
  error.mockRestore()
  expect(lines).toEqual([expect.stringMatching(/^\/.*: The database file loopwright\.db has been moved/)])
})

it('a fault is told once in its episode however often it comes and goes, and its end is told', () => {
  vi.useFakeTimers()
  const lines: string[] = []
  let hear: (trouble: StoreTrouble | undefined) => void = () => undefined
  const health: StoreHealth = {
    trouble: undefined,
    check: () => undefined,
    onChange: (listener) => {
      hear = listener
    },
  }
  const stop = watchStorage(health, {
    folder: '/data',
    fail: (line) => lines.push(line),
    recover: (line) => lines.push(line),
  })
  for (let turn = 0; turn < 5; turn++) {
    hear({ fault: 'full', message: 'The disk is full.' })
    hear(undefined)
  }
  expect(lines).toEqual(['/data: The disk is full.', '/data: the database can be written again.'])
  vi.advanceTimersByTime(61_000)
  hear({ fault: 'full', message: 'The disk is full.' })
  expect(lines).toHaveLength(3)
  stop()
})
