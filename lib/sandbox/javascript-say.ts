/**
 * How the child process of the JavaScript port sends messages: one line at a time, each
 * written before it continues.
 */
import fs from 'node:fs'
import type { FromChild } from './javascript-wire'

/** Blocks until the message is written. A slow parent slows the child down, and nothing is lost at exit. */
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
