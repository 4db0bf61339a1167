import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WallTest } from '#lib/spec/walls'
import { createScripts } from './scripts'
import { openPlace, type Place, runShell } from './scripts.fixture'
import { chooseWalls } from './walls/choose'
import { justBashFacts } from './walls/just-bash'
import type { ScriptEnd, ScriptJob, ScriptWall } from './walls/wall'

vi.setConfig({ testTimeout: 60_000 })

const usage = { wallMs: 1, cpuSeconds: 0.5, peakMemoryBytes: 1_000 }
const exited = (exitCode: number): ScriptEnd => ({ ended: true, exitCode, usage })

/** A wall whose script is this function. */
function wallOf(work: (job: ScriptJob) => ScriptEnd, test?: () => Promise<WallTest>): ScriptWall {
  return {
    facts: justBashFacts,
    test: test ?? (async () => ({ holds: true, startMs: 1 })),
    run: async (job) => work(job),
    close: () => undefined,
  }
}

let place: Place
beforeEach(() => {
  place = openPlace()
})
afterEach(() => place.remove())

const write = (job: ScriptJob, name: string, text: string) => {
  fs.mkdirSync(path.dirname(path.join(job.folder, name)), { recursive: true })
  fs.writeFileSync(path.join(job.folder, name), text)
}

describe('a script over a workspace', () => {
  it('S0-23 works on a copy, and brings back what it made, changed and removed', async () => {
    place.put('a.txt', 'a')
    place.put('sub/b.txt', 'b')
    place.put('same.txt', 'same')
    const wall = wallOf((job) => {
      write(job, 'a.txt', 'changed')
      write(job, 'new/deep/c.txt', 'c')
      fs.rmSync(path.join(job.folder, 'sub'), { recursive: true })
      expect(fs.readFileSync(path.join(place.root, 'a.txt'), 'utf8')).toBe('a')
      return exited(3)
    })
    const { answer } = await runShell(place, wall, '')
    expect(answer).toMatchObject({
      ok: true,
      exitCode: 3,
      changed: ['a.txt', 'new/deep/c.txt'],
      removed: ['sub', 'sub/b.txt'],
      usage,
      wall: justBashFacts,
    })
    expect(place.texts()).toEqual({ 'a.txt': 'changed', 'new/deep/c.txt': 'c', 'same.txt': 'same' })
    expect(fs.existsSync(path.join(place.root, 'sub'))).toBe(false)
    expect(fs.readdirSync(place.temporary)).toEqual([])
  })

  it('makes the workspace of a thread that has no file yet', async () => {
    fs.rmdirSync(place.root)
    const wall = wallOf((job) => {
      write(job, 'a.txt', 'first')
      return exited(0)
    })
    expect((await runShell(place, wall, '')).answer).toMatchObject({ ok: true, changed: ['a.txt'] })
    expect(place.texts()).toEqual({ 'a.txt': 'first' })
  })

  it('brings nothing back when it was stopped', async () => {
    place.put('a.txt', 'a')
    const wall = wallOf((job) => {
      write(job, 'a.txt', 'half')
      return { ended: false, code: 'timeout', message: 'Too long.', usage }
    })
    expect((await runShell(place, wall, '')).answer).toMatchObject({ ok: false, code: 'timeout', usage })
    expect(place.texts()).toEqual({ 'a.txt': 'a' })
    expect(fs.readdirSync(place.temporary)).toEqual([])
  })

  it('brings back all of its changes or none: one that cannot be taken keeps the others out', async () => {
    place.put('a.txt', 'a')
    place.put('z.txt', 'z')
    const wall = wallOf((job) => {
      write(job, 'a.txt', 'changed')
      write(job, 'b/new.txt', 'new')
      write(job, 'y.txt', 'file')
      fs.rmSync(path.join(job.folder, 'z.txt'))
      // Meanwhile somebody makes a folder where the script has made a file.
      fs.mkdirSync(path.join(place.root, 'y.txt'))
      return exited(0)
    })
    const { answer } = await runShell(place, wall, '')
    expect(answer).toMatchObject({ ok: false, code: 'files', message: expect.stringContaining('"y.txt"') })
    expect(place.texts()).toEqual({ 'a.txt': 'a', 'z.txt': 'z' })
    expect(fs.readdirSync(place.root).sort()).toEqual(['a.txt', 'y.txt', 'z.txt'])
  })

  it('gets only the files that the call names, with everything in a named folder', async () => {
    for (const name of ['a.txt', 'b.txt', 'data/1.csv', 'data/2.csv', 'database.txt']) place.put(name, name)
    let seen: string[] = []
    const wall = wallOf((job) => {
      seen = fs.readdirSync(job.folder, { recursive: true, encoding: 'utf8' }).sort()
      return exited(0)
    })
    const { answer } = await runShell(place, wall, '', { only: ['a.txt', 'data'] })
    expect(seen).toEqual(['a.txt', 'data', 'data/1.csv', 'data/2.csv'])
    expect(answer).toMatchObject({ ok: true, changed: [], removed: [] })
    expect(Object.keys(place.texts())).toHaveLength(5)
  })

  it.each([
    [['nope.txt'], 'There is no "nope.txt" in the workspace.'],
    [['../secret'], 'outside of the workspace'],
    [['/etc/passwd'], 'outside of the workspace'],
  ])('is refused when it names %s', async (only, message) => {
    place.put('a.txt', 'a')
    const { answer } = await runShell(
      place,
      wallOf(() => exited(0)),
      '',
      { only },
    )
    expect(answer).toMatchObject({ ok: false, code: 'files', message: expect.stringContaining(message) })
  })

  it('is refused a workspace that is too large, unless it names its files', async () => {
    place.put('big.bin', new Uint8Array(65 * 1024 * 1024))
    place.put('a.txt', 'a')
    const wall = wallOf(() => exited(0))
    expect((await runShell(place, wall, '')).answer).toMatchObject({
      ok: false,
      code: 'files',
      message: expect.stringContaining('Name the files'),
    })
    expect((await runShell(place, wall, '', { only: ['a.txt'] })).answer).toMatchObject({ ok: true })
  })

  it('T30 takes no link and no file that has a second name', async () => {
    fs.writeFileSync(path.join(place.top, 'secret'), 'secret')
    const wall = wallOf((job) => {
      fs.symlinkSync(path.join(place.top, 'secret'), path.join(job.folder, 'link'))
      fs.symlinkSync(place.top, path.join(job.folder, 'up'))
      fs.linkSync(path.join(place.top, 'secret'), path.join(job.folder, 'hard'))
      write(job, 'plain', 'x')
      return exited(0)
    })
    const { answer } = await runShell(place, wall, '')
    expect(answer).toMatchObject({ ok: true, changed: ['plain'], ignored: 3 })
    expect(place.texts()).toEqual({ plain: 'x' })
  })

  it('changes nothing when it may only read', async () => {
    place.put('a.txt', 'a')
    const wall = wallOf((job) => {
      write(job, 'a.txt', 'b')
      return exited(0)
    })
    expect((await runShell(place, wall, '', { mayWrite: false })).answer).toMatchObject({
      ok: true,
      changed: [],
    })
    expect(place.texts()).toEqual({ 'a.txt': 'a' })
  })

  it('keeps that a file may be run', async () => {
    const wall = wallOf((job) => {
      write(job, 'run.sh', 'echo')
      fs.chmodSync(path.join(job.folder, 'run.sh'), 0o755)
      return exited(0)
    })
    await runShell(place, wall, '')
    expect(fs.statSync(path.join(place.root, 'run.sh')).mode & 0o777).toBe(0o700)
  })

  it('leaves no folder behind even when it took its own rights away', async () => {
    const wall = wallOf((job) => {
      fs.mkdirSync(path.join(job.scratch, 'closed/inner'), { recursive: true })
      fs.chmodSync(path.join(job.scratch, 'closed'), 0)
      return exited(0)
    })
    expect((await runShell(place, wall, '')).answer.ok).toBe(true)
    expect(fs.readdirSync(place.temporary)).toEqual([])
  })

  it('T8 is not run where no wall holds, and says so', async () => {
    const broken = wallOf(
      () => exited(0),
      async () => ({ holds: false, reason: 'It leaks.', remedies: [] }),
    )
    const walls = { javascript: [], shell: [broken], python: [], readers: [] }
    const port = createScripts({ choice: chooseWalls(walls), temporary: place.temporary })
    const signal = new AbortController().signal
    const request = { kind: 'shell', source: '', files: place.workspace, mayWrite: true } as const
    const limits = { timeoutMs: 1_000, memoryMiB: 1, processes: 1, outputBytes: 1, diskMiB: 1 }
    const answer = await port.run({ ...request, limits, output: () => undefined }, signal)
    expect(answer).toMatchObject({ ok: false, code: 'unavailable' })
    expect(await port.wall('shell')).toBeUndefined()
  })
})
