import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { fold, start } from '#lib/agent/state/fold'
import { at } from '#lib/setup/place.mjs'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  program = await bundleFixture('runs/changing-kill')
})
afterAll(() => program.remove())

/** One life of the server, which is killed once it has printed the text, if one is given. */
async function life(
  folder: string,
  format: string,
  killAt?: string,
): Promise<{ printed: string; signal: unknown }> {
  const child = spawn(process.execPath, [program.file, folder, format], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOPWRIGHT_BUNDLES: at('.next', 'loopwright') },
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (killAt !== undefined && printed.includes(killAt)) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  return { printed, signal }
}

async function wholeRun(format: string, kills: readonly string[]) {
  const place = temporaryFolder()
  try {
    for (const killAt of kills) await life(place.folder, format, killAt)
    const { printed, signal } = await life(place.folder, format)
    expect(signal).toBe(null)
    const { events, exact }: { events: RunEvent[]; exact: boolean[] } = JSON.parse(
      printed.trimEnd().split('\n').at(-1) ?? '',
    )
    return { events, exact }
  } finally {
    place.remove()
  }
}

function expectWhole({ events, exact }: { events: RunEvent[]; exact: boolean[] }): void {
  const [queued] = events
  if (queued?.type !== 'run.queued') throw new Error('a run begins with run.queued')
  const { agent, input, threadId } = queued
  const state = events.reduce(fold, start({ agent, input, threadId, historyThrough: null, history: [] }))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect(state).toMatchObject({ status: 'completed', answer: 'done' })
  expect(state.steps.map(({ tools }) => tools?.offered.map(({ name }) => name).join(' '))).toEqual([
    'extra.switch extra.nest',
    'extra.switch extra.nest extra.look',
    'extra.switch extra.nest extra.look',
    'extra.switch extra.nest',
    'extra.switch extra.nest',
  ])
  expect(events.flatMap((each) => (each.type === 'tools.changed' ? [each.reason] : []))).toEqual([
    'the switch is on',
    'the switch is off',
  ])
  const results = state.steps.flatMap(({ calls }) =>
    calls.map(({ name, code, status }) => [name, code ?? status]),
  )
  expect(results).toEqual([
    ['extra.switch', 'ok'],
    ['extra.look', 'ok'],
    ['extra.nest', 'ok'],
    ['extra.switch', 'ok'],
    ['extra.look', 'unknown_tool'],
  ])
  const inner = state.steps[1]?.calls.find(({ name }) => name === 'extra.nest')?.inner
  expect(inner).toMatchObject({ status: 'completed', answer: 'Inside it is noon.' })
  expect(inner?.steps).toHaveLength(2)
  expect(exact).toEqual([true, true, true, true, true])
}

it.each(['native', 'xml', 'json', 'json_fence'])(
  'tools come and go between steps, and a run stands inside a call, in the format %s',
  async (format) => expectWhole(await wholeRun(format, [])),
  120_000,
)

it('tools that come and go, and a run inside a call, survive a kill at each of their events', async () => {
  const kills = ['"extra.switch"', '"tools.changed"', '"parent"', '"run.finished"']
  expectWhole(await wholeRun('native', kills))
}, 120_000)
