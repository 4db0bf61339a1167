/** Tests of the set-up's child processes: how they end, and that they leave nothing behind. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from './child.mjs'

let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'child-'))
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('gives the exit code and what was said on both streams', async () => {
  const script = "console.log('out'); process.stderr.write('err'); process.exitCode = 3"
  const { code, output } = await run(process.execPath, ['-e', script])
  expect(code).toBe(3)
  expect(output).toContain('out')
  expect(output).toContain('err')
})

test('what is shown, but on no terminal, is kept as well', async () => {
  const child = JSON.stringify(new URL('child.mjs', import.meta.url).href)
  const shown = `run(process.execPath, ['-e', "console.log('out'); console.error('err')"], { show: true })`
  const script = `const { run } = await import(${child}); console.log(JSON.stringify(await ${shown}))`
  const { output } = await run(process.execPath, ['--input-type=module', '-e', script])
  // The output of two pipes comes in any order.
  const kept = output.split('\n').find((line) => line.startsWith('{')) ?? ''
  expect(JSON.parse(kept).output.split('\n').sort()).toEqual(['', 'err', 'out'])
  expect(output.replace(kept, '').split('\n').sort()).toEqual(expect.arrayContaining(['err', 'out']))
})

test('a program that is not there is a code, no throw', async () => {
  expect(await run('loopwright-no-such-program', [])).toMatchObject({ code: 127 })
})

test('an empty value takes a variable away', async () => {
  const env = { HOME: undefined, LOOPWRIGHT_TEST: 'here' }
  const { output } = await run(
    process.execPath,
    ['-e', 'console.log(process.env.HOME, process.env.LOOPWRIGHT_TEST)'],
    { env },
  )
  expect(output.trim()).toBe('undefined here')
})

test.skipIf(process.platform === 'win32')(
  'past its limit it is ended with its own children',
  async () => {
    const note = path.join(folder, 'pid')
    const script = `
    const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    require('node:fs').writeFileSync(${JSON.stringify(note)}, String(child.pid))
    setInterval(() => {}, 1000)`
    expect((await run(process.execPath, ['-e', script], { limitMs: 4000 })).code).toBe(124)
    const pid = Number(fs.readFileSync(note, 'utf8'))
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 10_000)
  },
  40_000,
)
