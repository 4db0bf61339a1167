/** Tests of the set-up lock between real processes. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withLock } from './lock.mjs'
import { at } from './place.mjs'

let folder: string
let lock: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lock-'))
  lock = path.join(folder, 'lock')
})

afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

// Each worker increments a number by reading, pausing and writing: without the lock, increments are lost.
const worker = `
  const { withLock } = await import(process.argv[1])
  const fs = await import('node:fs')
  const [lock, counter] = process.argv.slice(2)
  await withLock(async () => {
    const count = Number(fs.readFileSync(counter, 'utf8'))
    await new Promise((resolve) => setTimeout(resolve, 30))
    fs.writeFileSync(counter, String(count + 1))
  }, lock)`

interface Worker {
  said: string
  readonly done: Promise<unknown>
}

function begin(counter: string): Worker {
  const args = ['--input-type=module', '-e', worker, at('lib/setup/lock.mjs'), lock, counter]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const begun: Worker = { said: '', done: once(child, 'close') }
  child.stdout.on('data', (chunk) => {
    begun.said += String(chunk)
  })
  return begun
}

const waits = /another command is setting up/g

test('many at once go one by one, who waits says so once, and nothing is left behind', async () => {
  const counter = path.join(folder, 'counter')
  fs.writeFileSync(counter, '0')
  const workers = await withLock(async () => {
    const begun = [1, 2, 3, 4].map(() => begin(counter))
    await vi.waitFor(
      () => expect(begun.every(({ said }) => said.includes('another command'))).toBe(true),
      15_000,
    )
    expect(fs.readFileSync(counter, 'utf8')).toBe('0')
    return begun
  }, lock)
  await Promise.all(workers.map(({ done }) => done))
  for (const { said } of workers) expect(said.match(waits)).toHaveLength(1)
  expect(fs.readFileSync(counter, 'utf8')).toBe('4')
  expect(fs.readdirSync(folder)).toEqual(['counter'])
}, 20_000)

test('a lock of a dead process is taken over, by one of those who find it', async () => {
  const dead = spawn(process.execPath, ['-e', ''])
  await once(dead, 'close')
  fs.writeFileSync(lock, JSON.stringify({ pid: dead.pid, born: '1', host: os.hostname() }))
  const counter = path.join(folder, 'counter')
  fs.writeFileSync(counter, '0')
  await Promise.all([1, 2, 3].map(() => begin(counter).done))
  expect(fs.readFileSync(counter, 'utf8')).toBe('3')
  expect(fs.readdirSync(folder)).toEqual(['counter'])
}, 20_000)

test.runIf(process.platform === 'linux')(
  'a pid that another process has by now does not hold the lock',
  async () => {
    fs.writeFileSync(lock, JSON.stringify({ pid: process.pid, born: '1', host: os.hostname() }))
    expect(await withLock(async () => 'done', lock)).toBe('done')
  },
)

test('a torn lock, or one from another machine, holds until it has been silent for a minute', async () => {
  for (const text of ['{"pid":', JSON.stringify({ pid: process.pid, host: 'elsewhere' })]) {
    fs.writeFileSync(lock, text)
    const old = new Date(Date.now() - 61_000)
    fs.utimesSync(lock, old, old)
    expect(await withLock(async () => 'done', lock)).toBe('done')
  }
})

test('it may be nested in one process, and is freed when the work throws', async () => {
  expect(await withLock(() => withLock(async () => 'inner', lock), lock)).toBe('inner')
  await expect(withLock(() => Promise.reject(new Error('no')), lock)).rejects.toThrow('no')
  expect(fs.existsSync(lock)).toBe(false)
})
