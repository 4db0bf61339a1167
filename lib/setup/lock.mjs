/**
 * Allows one set-up at a time: a lock file with the holder's pid and start time, which is
 * replaced if the holder is dead.
 */
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { at, readText } from './place.mjs'
import { say } from './stage.mjs'

const BEAT_MS = 5000
const SILENT_MS = 60_000
const POLL_MS = 250

const held = new Map()

/**
 * The start time of a process, in the format of its system, so that a reused pid is not
 * taken for the old process.
 * @param {number} pid
 * @returns {string | undefined} undefined if there is no such process or the system does not know
 */
function birth(pid) {
  if (process.platform === 'linux') {
    const stat = readText(`/proc/${pid}/stat`)
    // The second field is the program's name, which may contain spaces and brackets; field 22 is
    // the start time in ticks.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  }
  if (process.platform === 'win32') return undefined
  return (
    spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined
  )
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function isStale(file, text) {
  let silent
  try {
    silent = Date.now() - fs.statSync(file).mtimeMs > SILENT_MS
  } catch {
    return false
  }
  let holder
  try {
    holder = JSON.parse(text)
  } catch {
    return silent
  }
  if (holder.host !== os.hostname()) return silent
  if (!isAlive(holder.pid)) return true
  const born = birth(holder.pid)
  return born !== undefined && holder.born !== undefined && born !== holder.born
}

// Two processes that find the same stale lock must not remove each other's new one, so only one at
// a time may remove a lock.
function removeStale(file, text) {
  const guard = `${file}.removal`
  try {
    fs.mkdirSync(guard)
  } catch {
    try {
      if (Date.now() - fs.statSync(guard).mtimeMs > SILENT_MS) fs.rmdirSync(guard)
    } catch {
      // Another process removed it.
    }
    return
  }
  try {
    if (readText(file) === text) fs.rmSync(file, { force: true })
  } finally {
    fs.rmdirSync(guard)
  }
}

function tryTake(file) {
  const text = JSON.stringify({ pid: process.pid, born: birth(process.pid), host: os.hostname() })
  try {
    fs.writeFileSync(file, text, { flag: 'wx' })
    return text
  } catch (error) {
    if (error.code === 'EEXIST') return undefined
    throw error
  }
}

async function take(file) {
  for (let isTold = false; ; await wait(POLL_MS)) {
    const text = tryTake(file)
    if (text !== undefined) return text
    const other = readText(file) ?? ''
    if (isStale(file, other)) removeStale(file, other)
    else if (!isTold) {
      say('wait      another command is setting up; this one continues when that is done')
      isTold = true
    }
  }
}

function beat(file) {
  const timer = setInterval(() => {
    try {
      fs.utimesSync(file, new Date(), new Date())
    } catch {
      // The lock was removed by hand, so there is nothing to keep fresh.
    }
  }, BEAT_MS)
  timer.unref()
  return timer
}

/**
 * Runs the work while no other process does; calls within one process may be nested.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [file] the lock, an absolute path
 * @returns {Promise<T>}
 */
export async function withLock(work, file = at('.loopwright-setup.lock')) {
  if (held.has(file)) return await work()
  const text = await take(file)
  held.set(file, text)
  const timer = beat(file)
  const free = () => {
    if (readText(file) === text) fs.rmSync(file, { force: true })
  }
  process.once('exit', free)
  try {
    return await work()
  } finally {
    clearInterval(timer)
    process.off('exit', free)
    held.delete(file)
    free()
  }
}
