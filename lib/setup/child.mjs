/**
 * Runs child processes to their end, and stops each with its whole process group when
 * this process is stopped.
 */
import { spawn } from 'node:child_process'
import os from 'node:os'
import process from 'node:process'
import { at, root } from './place.mjs'

const KEPT = 200_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const live = new Set()
let stopping

function signalGroup(child, signal) {
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // The group has ended meanwhile.
  }
}

function stop(signal) {
  stopping = signal
  for (const child of live) {
    signalGroup(child, signal)
    setTimeout(() => signalGroup(child, 'SIGKILL'), 5000).unref()
  }
}

function adopt(child) {
  if (live.size === 0) for (const signal of signals) process.on(signal, stop)
  live.add(child)
}

function release(child) {
  live.delete(child)
  if (live.size > 0) return
  for (const signal of signals) process.off(signal, stop)
  if (stopping) process.exit(128 + os.constants.signals[stopping])
}

function surroundings(extra) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...extra }
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name]
  return env
}

/**
 * Runs a program and resolves when it has ended. A missing or slow program gives an
 * exit code and never throws.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: Record<string, string | undefined>, cwd?: string, limitMs?: number, show?: boolean }} [how]
 *   `env` adds to ours (undefined takes away), `cwd` is the project unless given, `show` lets the program write to our
 *   streams as well
 * @returns {Promise<{ code: number, output: string }>} the exit code (124 past the limit, 127 not found)
 *   and the last part of the output, unless that was shown on a terminal
 */
export function run(command, args, { env = {}, cwd = root, limitMs, show = false } = {}) {
  return new Promise((resolve) => {
    const isDirect = show && process.stdout.isTTY
    const child = spawn(command, args, {
      cwd,
      env: surroundings(env),
      stdio: isDirect ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    let output = ''
    let late = false
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    if (show) {
      child.stdout?.on('data', (chunk) => process.stdout.write(chunk))
      child.stderr?.on('data', (chunk) => process.stderr.write(chunk))
    }
    const timer =
      limitMs === undefined
        ? undefined
        : setTimeout(() => {
            late = true
            signalGroup(child, 'SIGKILL')
          }, limitMs)
    const end = (code) => {
      clearTimeout(timer)
      release(child)
      resolve({ code: late ? 124 : code, output })
    }
    child.once('error', (error) => {
      keep(String(error))
      end(127)
    })
    child.once('close', (code) => end(code ?? 1))
    if (child.pid !== undefined) adopt(child)
  })
}

/**
 * Runs the npm that started this process, so that several installed Nodes are not mixed up.
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2] & { node?: string }} [how] `node` is the Node that runs it, ours unless given
 */
export function npm(args, { node = process.execPath, ...how } = {}) {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.c?js$/.test(cli)) return run(node, [cli, ...args], how)
  if (process.platform === 'win32') return run('cmd.exe', ['/d', '/s', '/c', 'npm', ...args], how)
  return run('npm', args, how)
}

/**
 * Runs the script of an installed package with this Node.
 * @param {string} script below node_modules, such as `next/dist/bin/next`
 * @param {readonly string[]} args
 * @param {Parameters<typeof run>[2]} [how]
 */
export function tool(script, args, how) {
  return run(process.execPath, [at('node_modules', script), ...args], how)
}

/** Ends this process when npm has gone, because npm does not pass signals on. */
export function followParent() {
  if (!process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500)
  timer.unref()
}
