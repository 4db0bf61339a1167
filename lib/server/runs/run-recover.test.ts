import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openClient, openStores, storesOver } from '#db/open'
import { appended, temporaryFolder, threadRow } from '#db/rows.fixture'
import { isAppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { RunRow } from '#lib/spec/store'
import { text } from '#lib/spec/tool'
import { systemClock } from '../clock'
import { stateOf } from './run-history'
import { engine, type Given, type House, openHouse, scriptOf } from './run-house.fixture'

const houses: House[] = []
function house(given?: Given): House {
  const opened = openHouse(given)
  houses.push(opened)
  return opened
}
afterEach(async () => {
  for (const each of houses.splice(0)) await each.leave()
})

const bodies: NonNullable<Given['bodies']> = {
  look: { effect: 'read', run: async () => text('seen') },
  send: { effect: 'effect', run: async () => text('sent') },
}
const turns: JsonObject[] = [
  { reasoning: 'First I look, then I send.', calls: [{ name: 'look' }, { name: 'send' }] },
  { text: 'Half done.', calls: [{ name: 'send' }, { name: 'look' }] },
  { text: 'All is sent.' },
]

/** Copies a stored run into another house, as a crash after `events` would have left it. */
function crashed(at: House, row: RunRow, events: readonly RunEvent[]): void {
  const [queued, ...rest] = events
  if (queued === undefined) throw new Error('no events')
  const blank = { status: 'queued', startedAt: null, finishedAt: null, answer: null, steps: 0 } as const
  const figures = { toolCalls: [], usage: { input: 0, output: 0 } }
  const thread = threadRow({ id: row.threadId, agentId: row.agentId })
  at.stores.runs.insert({ ...row, ...blank, ...figures }, queued, thread)
  at.stores.runs.append(rest.map((event) => appended(row.id, event)))
}

const callsIn = (events: readonly RunEvent[], type: 'call.started' | 'call.finished') =>
  events.flatMap((event) => (event.type === type ? [event.callId] : []))

it('F1, F2: a run cut after each of its events goes on by itself, and no effect happens twice', async () => {
  const whole = house({ bodies })
  const { id } = whole.runs.create({ agentId: whole.agent(scriptOf(turns)), input: 'Send it.' })
  await whole.end(id)
  const events = whole.stores.runs.events(id)
  const row = whole.stores.runs.get(id)
  if (row === undefined) throw new Error('no row')
  expect(whole.ran).toHaveLength(4)

  for (let cut = 1; cut < events.length; cut++) {
    const before = events.slice(0, cut)
    const next = openHouse({ bodies })
    crashed(next, row, before)
    next.runs.recover()
    const seqs = await next.end(id)
    const after = next.stores.runs.events(id)
    expect(seqs).toEqual(after.map((_, index) => index + 1))
    expect(after.slice(0, cut)).toEqual(before)
    expect(after.filter((event) => event.type === 'run.finished')).toHaveLength(1)
    expect(next.runs.get(id)).toMatchObject({ status: 'completed', answer: 'All is sent.' })

    const begun = new Set(callsIn(before, 'call.started'))
    const effects = next.ran.filter((callId) => callId !== 'call_1_1' && callId !== 'call_2_2')
    expect(effects.filter((callId) => begun.has(callId))).toEqual([])
    expect(new Set(next.ran).size).toBe(next.ran.length)
    expect(callsIn(after, 'call.finished').toSorted()).toEqual([
      'call_1_1',
      'call_1_2',
      'call_2_1',
      'call_2_2',
    ])
    const resumed = after.filter((event) => event.type === 'run.resumed')
    expect(resumed.map((event) => event.reason)).toEqual(cut === 1 ? [] : ['crash'])
    expect(next.faults).toEqual([])
    await next.leave()
  }
}, 60_000)

it('F9: a run stopped with the server goes on after it, as a drain and not as a crash', async () => {
  const first = house({ bodies, concurrency: 1 })
  const agentId = first.agent(
    scriptOf([...turns.slice(0, 2), { text: 'one two three four', fault: { stallMs: 60_000 } }]),
  )
  const { id } = first.runs.create({ agentId, input: 'x' })
  const inLine = first.runs.create({ agentId, input: 'y' })
  const reader = first.end(id)
  for await (const frame of first.runs.watch(id, 0, new AbortController().signal)) {
    if (frame !== 'beat' && frame.type === 'text.delta' && JSON.parse(frame.json).step === 3) break
  }
  const began = performance.now()
  await first.runs.drain(30_000)
  expect(performance.now() - began).toBeLessThan(15_000)
  const seen = await reader
  expect(first.stores.runs.get(id)).toMatchObject({ status: 'running', drained: true, seq: seen.length })
  expect(first.stores.runs.get(inLine.id)).toMatchObject({ status: 'queued' })
  expect(() => first.runs.create({ agentId, input: 'z' })).toThrow('is stopping')

  const second = openHouse({ bodies, stores: first.stores, concurrency: 1 })
  second.runs.recover()
  for await (const frame of second.runs.watch(id, seen.length, new AbortController().signal)) {
    if (frame !== 'beat' && frame.type === 'text.delta') break
  }
  expect(second.stores.runs.events(id)[seen.length]).toMatchObject({
    type: 'run.resumed',
    reason: 'drain',
    attempt: 1,
  })
  expect(second.stores.runs.get(id)?.drained).toBe(false)
  expect(second.ran).toEqual([])
  second.runs.cancel(id)
  second.runs.cancel(inLine.id)
  expect((await second.end(id)).length).toBeGreaterThan(seen.length)
  await second.runs.drain(20_000)
})

it('F11: a run that brings the server down three times in a row is given up, and the others go on', async () => {
  const at = house({ bodies })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns)), input: 'x' })
  await at.end(id)
  const row = at.stores.runs.get(id)
  if (row === undefined) throw new Error('no row')
  const started = at.stores.runs.events(id).slice(0, 4)
  const resumes = [1, 2].map(
    (attempt): RunEvent => ({
      type: 'run.resumed',
      reason: 'crash',
      attempt,
      seq: 4 + attempt,
      at: 1,
      step: 1,
    }),
  )
  const next = house({ bodies })
  crashed(next, row, [...started, ...resumes])
  const other = next.runs.create({ agentId: next.agent(scriptOf(turns)), input: 'x' })
  next.runs.recover()
  await Promise.all([next.end(id), next.end(other.id)])
  expect(next.runs.get(id)).toMatchObject({ status: 'failed', error: { code: 'poison' } })
  expect(next.runs.get(other.id).status).toBe('completed')
})

it('F11: of runs that were at work when the server died twice, one at a time is taken up, so that only one is counted', async () => {
  const at = house({ bodies })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns)), input: 'x' })
  await at.end(id)
  const row = at.stores.runs.get(id)
  if (row === undefined) throw new Error('no row')
  const resumed: RunEvent = { type: 'run.resumed', reason: 'crash', attempt: 1, seq: 5, at: 1, step: 1 }
  const events = [...at.stores.runs.events(id).slice(0, 4), resumed]

  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let isFirst = true
  const next = house({
    bodies: {
      ...bodies,
      look: {
        effect: 'read',
        run: async () => {
          if (isFirst) {
            isFirst = false
            await held
          }
          return text('seen')
        },
      },
    },
  })
  const ids = ['run_a', 'run_b', 'run_c']
  for (const each of ids) crashed(next, { ...row, id: each, threadId: `thread_${each}`, input: each }, events)
  next.runs.recover()
  const taken = () =>
    ids.map((each) => next.stores.runs.events(each).filter(({ type }) => type === 'run.resumed').length)
  await expect.poll(() => isFirst, { timeout: 10_000 }).toBe(false)
  expect(taken()).toEqual([2, 1, 1])
  const fresh = next.runs.create({ agentId: next.agent(scriptOf(turns)), input: 'y' })
  await next.end(fresh.id)
  expect(next.runs.get(fresh.id).status, 'a run that is no suspect does not wait').toBe('completed')
  expect(taken(), 'the others are taken up once the first has finished a step').toEqual([2, 1, 1])
  letGo()
  await Promise.all(ids.map((each) => next.end(each)))
  expect(ids.map((each) => next.runs.get(each).status)).toEqual(['completed', 'completed', 'completed'])
})

it('F11: a suspect that is long at work while the server lives keeps the suspects behind it waiting for a minute', async () => {
  const at = house({ bodies })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns)), input: 'x' })
  await at.end(id)
  const row = at.stores.runs.get(id)
  if (row === undefined) throw new Error('no row')
  const resumed: RunEvent = { type: 'run.resumed', reason: 'crash', attempt: 1, seq: 5, at: 1, step: 1 }
  const events = [...at.stores.runs.events(id).slice(0, 4), resumed]

  let letMinutePass = () => {}
  const clock = {
    ...systemClock,
    sleep: (ms: number, signal: AbortSignal) =>
      ms === 60_000
        ? new Promise<void>((resolve) => {
            letMinutePass = resolve
          })
        : systemClock.sleep(ms, signal),
  }
  let looks = 0
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const look = {
    effect: 'read' as const,
    run: async () => {
      if (looks++ === 0) await held
      return text('seen')
    },
  }
  const next = house({ clock, bodies: { ...bodies, look } })
  const [slow, other] = ['run_slow', 'run_other']
  for (const each of [slow, other])
    crashed(next, { ...row, id: each, threadId: `thread_${each}`, input: each }, events)
  next.runs.recover()
  await expect.poll(() => looks, { timeout: 10_000 }).toBe(1)
  const taken = () => next.stores.runs.events(other).filter(({ type }) => type === 'run.resumed').length
  expect(taken(), 'the other waits').toBe(1)
  letMinutePass()
  await next.end(other)
  expect([next.runs.get(slow).status, next.runs.get(other).status]).toEqual(['running', 'completed'])
  letGo()
  await next.end(slow)
  expect(next.runs.get(slow).status).toBe('completed')
})

it('a run whose part is gone ends as interrupted, and says which part', async () => {
  const at = house()
  const agentId = at.agent({ ...scriptOf(turns), tools: [{ use: 'telepathy' }] })
  const { id } = at.runs.create({ agentId, input: 'x' })
  await at.end(id)
  const { status, error } = at.runs.get(id)
  expect([status, error?.code]).toEqual(['interrupted', 'part_missing'])
  expect(error?.message).toContain('telepathy')
})

it('every call gets its one result, also where the end comes from outside of the loop', async () => {
  const whole = house({ bodies })
  const { id } = whole.runs.create({ agentId: whole.agent(scriptOf(turns)), input: 'Send it.' })
  await whole.end(id)
  const events = whole.stores.runs.events(id)
  const row = whole.stores.runs.get(id)
  if (row === undefined) throw new Error('no row')
  const gone = async () => ({
    ok: false as const,
    error: [{ severity: 'error' as const, code: 'unknown_part', message: 'Gone.' }],
  })
  const broken = () => Promise.reject(new Error('planted'))
  for (const [assemble, code] of [
    [gone, 'part_missing'],
    [broken, 'internal'],
  ] as const) {
    for (let cut = 1; cut < events.length; cut++) {
      const next = openHouse({ assemble })
      crashed(next, row, events.slice(0, cut))
      next.runs.recover()
      await next.end(id)
      const after = next.stores.runs.events(id)
      const state = stateOf(engine, row, { history: [], events: after })
      expect(state.error?.code).toBe(code)
      expect([...state.calls.values()].filter((call) => call.result === undefined)).toEqual([])
      const finished = callsIn(after, 'call.finished')
      expect(new Set(finished).size).toBe(finished.length)
      expect(next.runs.get(id)).toMatchObject({
        steps: state.steps.filter((step) => step.request !== undefined).length,
        usage: state.usage,
      })
      await next.leave()
    }
  }
}, 60_000)

it('F13: on a full disk a run is interrupted, nothing is begun, and all goes on once there is room', async () => {
  const place = temporaryFolder()
  const client = openClient(path.join(place.folder, 'loopwright.db'))
  const at = house({
    bodies: {
      ...bodies,
      fill: { effect: 'read', run: async () => text('x'.repeat(400_000)) },
    },
    stores: storesOver(client),
    clock: { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) },
  })
  const agentId = at.agent(scriptOf([{ calls: [{ name: 'fill' }] }, { text: 'Done.' }]))
  const pages = Number(client.pragma('page_count', { simple: true }))
  client.pragma(`max_page_count = ${pages + 20}`)
  const { id } = at.runs.create({ agentId, input: 'x' })
  const reader = at.end(id)
  const isFull = () => at.runs.get(id).status === 'interrupted'
  while (!isFull()) await systemClock.sleep(5, new AbortController().signal)
  expect(at.runs.get(id).error?.code).toBe('disk_full')
  expect(at.runs.list({}).items[0]?.status).toBe('interrupted')
  expect(at.stores.runs.get(id)?.status).toBe('running')
  const refused = () => at.runs.create({ agentId, input: 'y' })
  expect(refused).toThrow(expect.toSatisfy((error) => isAppError(error) && error.code === 'unavailable'))

  client.pragma('max_page_count = 1000000')
  const seen = await reader
  const ended = at.stores.runs.events(id)
  expect(callsIn(ended, 'call.finished')).toEqual(['call_1_1'])
  expect(at.stores.runs.get(id)).toMatchObject({
    status: 'interrupted',
    error: { code: 'disk_full' },
    seq: seen.length,
  })
  const next = at.runs.create({ agentId, input: 'y' })
  await at.end(next.id)
  expect(at.runs.get(next.id).status).toBe('completed')
  expect(client.pragma('integrity_check', { simple: true })).toBe('ok')
})

it('F10: however finish and recovery race, a finished run stays as it is', async () => {
  const place = temporaryFolder()
  const file = path.join(place.folder, 'loopwright.db')
  const first = openHouse({ stores: openStores(file), bodies })
  const agentId = first.agent(scriptOf(turns))
  // The lock of the data folder forbids a second server; without it, the store still keeps one end per run.
  const second = openHouse({ stores: openStores(file), bodies })
  const ids = Array.from({ length: 20 }, () => first.runs.create({ agentId, input: 'x' }).id)
  second.runs.recover()
  const isOver = () => first.stores.runs.unfinished().length === 0
  while (!isOver()) await systemClock.sleep(5, new AbortController().signal)
  for (const id of ids) {
    const events = first.stores.runs.events(id)
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.filter((event) => event.type === 'run.finished')).toHaveLength(1)
    expect(first.stores.runs.get(id)?.status).toBe(first.runs.get(id).status)
  }
  await first.leave()
  await second.leave()
  place.remove()
}, 30_000)

it('a run whose events cannot be folded ends all the same, and is not taken up for ever', async () => {
  const fold: typeof engine.fold = (state, event) => {
    if (event.type === 'run.queued') throw new Error('planted')
    return engine.fold(state, event)
  }
  const at = house({ engine: { ...engine, fold } })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns)), input: 'x' })
  expect(await at.end(id)).toEqual([1, 2])
  expect(at.runs.get(id)).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  expect(at.faults).toHaveLength(1)
  expect(at.stores.runs.unfinished()).toEqual([])
})

it('a fault of ours ends the run as failed, tells nothing of the inside, and is reported', async () => {
  const at = house({
    engine: {
      ...engine,
      run: async function* () {
        yield* []
        throw new Error('secret of the inside')
      },
    },
  })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns)), input: 'x' })
  await at.end(id)
  expect(at.runs.get(id)).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  expect(at.runs.get(id).error?.message).not.toContain('secret')
  expect(at.faults).toHaveLength(1)
})
