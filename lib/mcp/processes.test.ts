/** Programs that a killed server left behind are ended by the next start. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { temporaryFolder } from '#db/rows.fixture'
import { createProcessRecords } from './processes'

const pids: number[] = []

afterEach(() => {
  for (const pid of pids.splice(0)) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that has ended stays until its parent has read how.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A program that ends neither with its input nor by SIGTERM. */
function stubborn() {
  const source = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"
  const child = spawn(process.execPath, ['-e', source], { detached: true, stdio: 'ignore' })
  const { pid = 0 } = child
  pids.push(pid)
  return { child, pid }
}

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('T54 what an earlier server has recorded is ended, and its record is gone', async () => {
  const place = temporaryFolder()
  const folder = path.join(place.folder, 'processes')
  const { child, pid } = stubborn()
  createProcessRecords(folder).add(child)
  expect(readdirSync(folder)).toEqual([`${pid}.json`])
  expect(createProcessRecords(folder).sweep()).toBe(1)
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
  place.remove()
})

onLinux('another process that has the same id by now is left alone', () => {
  const place = temporaryFolder()
  const { pid } = stubborn()
  writeFileSync(path.join(place.folder, `${pid}.json`), JSON.stringify({ pid, startedAt: 'another boot 1' }))
  expect(createProcessRecords(place.folder).sweep()).toBe(0)
  expect(isAlive(pid)).toBe(true)
  expect(existsSync(path.join(place.folder, `${pid}.json`))).toBe(false)
  place.remove()
})

test('records that cannot be read, and a folder that is not there, end nothing', () => {
  const place = temporaryFolder()
  mkdirSync(path.join(place.folder, 'broken'))
  writeFileSync(path.join(place.folder, 'broken', '1.json'), '{"pid":1,"startedAt":"x"}')
  writeFileSync(path.join(place.folder, 'broken', '22.json'), 'not json')
  expect(createProcessRecords(path.join(place.folder, 'broken')).sweep()).toBe(0)
  expect(createProcessRecords(path.join(place.folder, 'nowhere')).sweep()).toBe(0)
  place.remove()
})
