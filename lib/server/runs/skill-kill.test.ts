import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { isDeep } from '#e2e/test-depth'
import { at } from '#lib/setup/place.mjs'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/skill-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/** @param kills whether the server is killed while the script of the skill runs */
async function life(kills: boolean): Promise<{ lastLine: string; signal: unknown }> {
  const child = spawn(process.execPath, [program.file, place.folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LOOPWRIGHT_BUNDLES: at('.next', 'loopwright') },
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (kills && printed.includes('"call.progressed"')) child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('close', (_, by) => resolve(by)))
  return { lastLine: printed.trimEnd().split('\n').at(-1) ?? '', signal }
}

it.runIf(isDeep)(
  'S4-42 a script of a skill that was killed with the server is not run again, and the skill is still there @deep',
  async () => {
    expect((await life(true)).signal).toBe('SIGKILL')
    const { lastLine, signal } = await life(false)
    expect(signal).toBe(null)
    const events: RunEvent[] = JSON.parse(lastLine)
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'done' })
    expect(events.find(({ type }) => type === 'run.started')).toMatchObject({ skills: [{ name: 'slow' }] })
    const ends = events.flatMap((each) =>
      each.type === 'call.finished' ? [`${each.name} ${each.status}`] : [],
    )
    expect(ends).toEqual(['skill.load ok', 'skill.run unknown', 'skill.run ok'])
    const [queued] = events
    const threadId = queued?.type === 'run.queued' ? (queued.threadId ?? '') : ''
    // What the killed script had changed is gone with its copy of the workspace.
    expect(readFileSync(path.join(place.folder, 'workspaces', threadId, 'ran.txt'), 'utf8')).toBe('ran\n')
  },
  120_000,
)
