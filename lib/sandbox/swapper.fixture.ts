/**
 * For tests: a process that swaps a folder and a file of a workspace for links to targets outside, and
 * back, as fast as it can.
 */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

const program = `
const fs = require('node:fs')
const path = require('node:path')
const [root, top, canary] = process.argv.slice(1)
const held = path.join(top, 'held')
fs.mkdirSync(held)
const attempt = (work) => { try { work() } catch {} }
for (;;) {
  attempt(() => fs.renameSync(path.join(root, 'a'), path.join(held, 'a')))
  attempt(() => fs.symlinkSync(top, path.join(root, 'a')))
  attempt(() => fs.symlinkSync(canary, path.join(held, 'link')))
  attempt(() => fs.renameSync(path.join(held, 'link'), path.join(root, 'b')))
  attempt(() => fs.unlinkSync(path.join(root, 'a')))
  attempt(() => fs.renameSync(path.join(held, 'a'), path.join(root, 'a')))
  attempt(() => fs.writeFileSync(path.join(held, 'b'), 'inside'))
  attempt(() => fs.renameSync(path.join(held, 'b'), path.join(root, 'b')))
  fs.appendFileSync(path.join(top, 'swaps'), '.')
}`

/** Starts at once; `stop` resolves when the process is gone. */
export function startSwapper(
  root: string,
  top: string,
  canary: string,
): {
  stop(): Promise<void>
  /** Rounds done so far. */
  swaps(): number
} {
  const child = spawn(process.execPath, ['-e', program, root, top, canary], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    stop: () => {
      child.kill('SIGKILL')
      return ended
    },
    swaps: () => fs.statSync(path.join(top, 'swaps'), { throwIfNoEntry: false })?.size ?? 0,
  }
}
