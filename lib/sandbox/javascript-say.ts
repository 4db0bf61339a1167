/** How the child process of the JavaScript port speaks: one line at a time, each out before it goes on. */
import fs from 'node:fs'
import type { FromChild } from './javascript-wire'

/** Blocks until it is said: a parent that is slow to listen slows us down, and nothing is lost when we exit. */
export function say(said: FromChild): void {
  let bytes = Buffer.from(`${JSON.stringify(said)}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(fs.writeSync(1, bytes))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) process.exit(1)
    }
  }
}
