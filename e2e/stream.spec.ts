/** A run's stream and its server may be interrupted anywhere: nothing shown is lost, nothing comes twice. */
import { expect } from '@playwright/test'
import { begin, createAgent, expectWhole, readStream, type StreamedEvent, scriptedConfig } from './api'
import { test } from './journey'
import { type OwnServer, ownServer } from './own-server'
import { countFor, deepOnly } from './test-depth'

const longAnswer = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')

/** Each step pauses in mid-stream, so that there is a middle to interrupt. */
const slowTurns = (steps: number) => [
  ...Array.from({ length: steps }, (_, index) => ({
    text: `Step ${index + 1} of many.`,
    calls: [{ name: 'math.calculate', args: { expression: `${index} + 1` } }],
    fault: { stallMs: 250 },
  })),
  { text: longAnswer, fault: { stallMs: 250 } },
]

test('F6 a stream cut at 40 random places goes on with no gap and no duplicate, and two watchers see the same', async ({
  baseURL,
}) => {
  test.setTimeout(90_000)
  const url = baseURL ?? ''
  const agent = await createAgent(url, scriptedConfig('cut-stream', slowTurns(12)))
  const run = await begin(url, agent, 'go')
  const steady = readStream(url, run, 0)
  const events: StreamedEvent[] = []
  for (let cuts = 0; cuts < 40; cuts++) {
    const some = 1 + Math.floor(Math.random() * 6)
    const last = events.at(-1)?.data.seq ?? 0
    events.push(...(await readStream(url, run, last, (read) => read.length >= some)))
  }
  events.push(...(await readStream(url, run, events.at(-1)?.data.seq ?? 0)))
  expectWhole(events)
  expect(events.at(-1)?.type).toBe('run.finished')
  expect((await steady).map((each) => each.data)).toEqual(events.map((each) => each.data))
  expect(events.every((each) => each.id === `${run}:${each.data.seq}`)).toBe(true)
})

test.describe('a server that dies', () => {
  let server: OwnServer
  test.beforeEach(async () => {
    server = await ownServer()
    await server.start()
  })
  test.afterEach(async () => server.dispose())

  const kills = countFor({ quick: 2, deep: 6 })
  const name =
    'F1 a run outlives kill -9 time and again with a finished step between, and every event seen is still there'
  test(name, deepOnly, async () => {
    test.setTimeout(120_000)
    const agent = await createAgent(server.url, scriptedConfig('killed', slowTurns(2 + 2 * kills)))
    const run = await begin(server.url, agent, 'go')
    const seen: StreamedEvent[] = []
    for (let kill = 0; kill < kills; kill++) {
      const isStepOver = (events: readonly StreamedEvent[]) =>
        events.some((each) => each.type === 'step.finished')
      seen.push(...(await readStream(server.url, run, seen.at(-1)?.data.seq ?? 0, isStepOver)))
      await server.stop('SIGKILL')
      await server.start()
    }
    seen.push(...(await readStream(server.url, run, seen.at(-1)?.data.seq ?? 0)))
    expectWhole(seen)
    const { items } = await readJsonEvents(server.url, run)
    expect(seen.map((each) => each.data)).toEqual(items)
    const finished = seen.at(-1)?.data
    expect(finished).toMatchObject({ type: 'run.finished', status: 'completed', answer: longAnswer })
    const ended = seen.filter((each) => each.type === 'call.finished').map((each) => each.data.callId)
    expect(new Set(ended).size).toBe(ended.length)
    expect(seen.filter((each) => each.type === 'run.resumed')).toHaveLength(kills)
  })

  test(
    'F9 SIGTERM drains within ten seconds, open streams included, and the run goes on afterwards',
    deepOnly,
    async () => {
      test.setTimeout(60_000)
      const agent = await createAgent(server.url, scriptedConfig('drained', slowTurns(6)))
      const run = await begin(server.url, agent, 'go')
      const first = readStream(server.url, run, 0, () => false)
      await readStream(server.url, run, 0, (events) => events.some((each) => each.type === 'step.finished'))
      const began = Date.now()
      expect(await server.stop('SIGTERM')).toBe(0)
      expect(Date.now() - began).toBeLessThan(10_000)
      const before = await first
      await server.start()
      const after = await readStream(server.url, run, before.at(-1)?.data.seq ?? 0)
      expectWhole([...before, ...after])
      expect(after.find((each) => each.type === 'run.resumed')?.data).toMatchObject({ reason: 'drain' })
      expect(after.at(-1)?.data).toMatchObject({ type: 'run.finished', status: 'completed' })
    },
  )
})

async function readJsonEvents(url: string, run: string): Promise<{ items: object[] }> {
  const response = await fetch(`${url}/api/runs/${run}/events`, { headers: { accept: 'application/json' } })
  return response.json()
}
