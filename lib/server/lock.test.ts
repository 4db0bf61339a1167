import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqlitePackage } from '#lib/sqlite/package.mjs'
import { lockFolder } from './lock'
import { StartError } from './start-error'

let folder = ''
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-lock-')), 'data')
})
afterEach(() => {
  fs.rmSync(path.dirname(folder), { recursive: true, force: true })
})

function refusal(): StartError {
  try {
    lockFolder(folder).release()
  } catch (error) {
    if (error instanceof StartError) return error
    throw error
  }
  throw new Error('the folder was free')
}

/** Another process that takes the lock as the server does, and reports it. */
async function otherServer() {
  const program = `
    const Database = require('${sqlitePackage}')
    const client = new Database(process.argv[1], { timeout: 0 })
    client.pragma('journal_mode = DELETE')
    client.exec('BEGIN EXCLUSIVE')
    console.log('held')
    setInterval(() => {}, 1000)
  `
  fs.mkdirSync(folder, { recursive: true })
  const child = spawn(process.execPath, ['-e', program, path.join(folder, 'lock.db')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}

test('F12 the folder has one holder; who lets go leaves it to the next', () => {
  const lock = lockFolder(folder)
  const error = refusal()
  expect(error.exitCode).toBe(3)
  expect(error.message).toContain(folder)
  lock.release()
  lockFolder(folder).release()
})

test('F12 another process is refused, and a killed one leaves nothing behind', async () => {
  const child = await otherServer()
  expect(refusal()).toMatchObject({ exitCode: 3, expected: true })
  child.kill('SIGKILL')
  await once(child, 'exit')
  lockFolder(folder).release()
})

test('F24 a folder that can not be made is told in one sentence', () => {
  fs.writeFileSync(folder, 'a file')
  expect(refusal()).toMatchObject({ exitCode: 1, message: expect.stringContaining('LOOPWRIGHT_DATA') })
})

test('F24 a file in the place of the lock that is no database is told, and left alone', () => {
  fs.mkdirSync(folder)
  fs.writeFileSync(path.join(folder, 'lock.db'), 'something else entirely, and long enough to be read')
  expect(refusal().message).toContain('lock.db')
  expect(fs.readFileSync(path.join(folder, 'lock.db'), 'utf8')).toContain('something else')
})

test('the folder is readable by its owner alone', () => {
  lockFolder(folder).release()
  expect(fs.statSync(folder).mode & 0o077).toBe(0)
})
