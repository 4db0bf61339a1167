/** For tests: lives of a server whose agent has changing tools, each ended by a kill, and what its run must come to. */
import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { fold, start } from '#lib/agent/state/fold'
import { at } from '#lib/setup/place.mjs'
import type { RunEvent } from '#lib/spec/event'

/** Where the agent's model is; by default it is played within the program. */
export interface Reached {
  readonly provider: string
  /** The name of its address in the environment. */
  readonly endpoint: string
  readonly baseUrl: string
}

export interface Lives {
  /** The bundled program of the server. */
  readonly file: string
  readonly format: string
  readonly model?: Reached
  /** The server is killed each time that it has printed one of these. */
  readonly kills?: readonly string[]
}

/** One life of the server, which is killed once it has printed the text, if one is given. */
async function life(
  { file, format, model }: Lives,
  folder: string,
  killAt?: string,
): Promise<{ printed: string; signal: unknown }> {
  const given = model === undefined ? [] : [model.provider, model.endpoint, model.baseUrl]
  const child = spawn(process.execPath, [file, folder, format, ...given], {
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

/** The run of all lives together, from its first event to its last. */
export async function wholeRun(lives: Lives) {
  const place = temporaryFolder()
  try {
    for (const killAt of lives.kills ?? []) await life(lives, place.folder, killAt)
    const { printed, signal } = await life(lives, place.folder)
    expect(signal).toBe(null)
    const { events, exact }: { events: RunEvent[]; exact: boolean[] } = JSON.parse(
      printed.trimEnd().split('\n').at(-1) ?? '',
    )
    return { events, exact }
  } finally {
    place.remove()
  }
}

export function expectWhole({ events, exact }: { events: RunEvent[]; exact: boolean[] }): void {
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
    // A call of a tool that is not offered keeps its name on the wire, which has no dots.
    calls.map(({ name, code, status }) => [name.replace('_', '.'), code ?? status]),
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
