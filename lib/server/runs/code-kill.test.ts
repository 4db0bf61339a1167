import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { countFor, isDeep } from '#e2e/test-depth'
import { at } from '#lib/setup/place.mjs'
import type { RunEvent } from '#lib/spec/event'
import { bundleFixture } from './bundle.fixture'

let place: ReturnType<typeof temporaryFolder>
let program: Awaited<ReturnType<typeof bundleFixture>>
beforeAll(async () => {
  place = temporaryFolder()
  program = await bundleFixture('runs/code-kill')
})
afterAll(() => {
  place.remove()
  program.remove()
})

/**
 * One life of the server.
 * @param kills whether it is killed after a code tool has written its line and before the tool returns
 */
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
  'F2: a code tool that was killed after it wrote to a file is not run again @deep',
  async () => {
    const kills = countFor({ quick: 1, deep: 3 })
    for (let kill = 0; kill < kills; kill++) expect((await life(true)).signal).toBe('SIGKILL')
    const { lastLine, signal } = await life(false)
    expect(signal).toBe(null)
    const events: RunEvent[] = JSON.parse(lastLine)
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed', answer: 'done' })

    const [queued] = events
    const threadId = queued?.type === 'run.queued' ? (queued.threadId ?? '') : ''
    const written = readFileSync(path.join(place.folder, 'workspaces', threadId, 'ran.txt'), 'utf8')
    expect(written).toBe('one\ntwo\nthree\nfour\nfive\n')
    const statuses = events.flatMap((each) => (each.type === 'call.finished' ? [each.status] : []))
    expect(statuses).toEqual([...Array(kills).fill('unknown'), ...Array(5 - kills).fill('ok')])
  },
  120_000,
)
