import { spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/personas-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** One life of the server, killed once it has printed `killAt`; returns the lines that it printed. */
async function life(killAt?: string): Promise<string[]> {
  const child = spawn(process.execPath, [program.file, place.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (killAt !== undefined && printed.includes(killAt)) child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('close', resolve))
  return printed.trimEnd().split('\n')
}

const typesOf = (lines: readonly string[]) => lines.map((line): RunEvent['type'] => JSON.parse(line).type)

it.runIf(isDeep)(
  'S1-23 killed while the model is asked for names, and again once it has named them, a run has each name once @deep',
  async () => {
    expect(typesOf(await life('"run.started"')).at(-1)).toBe('run.started')
    // A busy machine may print more before the signal reaches it.
    const second = typesOf(await life('"personas.assigned"'))
    expect(second).toContain('personas.assigned')
    expect(second).not.toContain('run.finished')
    const events: RunEvent[] = JSON.parse((await life()).at(-1) ?? '')
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'Noon.' })
    const assigned = events.filter(({ type }) => type === 'personas.assigned')
    expect(assigned).toMatchObject([{ names: { 'time.now': 'Bell' } }])
    const ends = events.filter(({ type }) => type === 'call.finished')
    expect(ends).toMatchObject([{ name: 'time.now', status: 'ok', persona: 'Bell' }])
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  },
  60_000,
)
