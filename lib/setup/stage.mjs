/** The output of the set-up: one line per stage, and one sentence if it cannot continue. */

/** A failure that the user can fix: only its message is shown. */
export class SetupError extends Error {
  expected = true
}

let stream = process.stdout

/**
 * Sends all lines to another stream, so that the output of a command that prints data stays clean.
 * @param {NodeJS.WriteStream} other
 */
export function speakOn(other) {
  stream = other
}

/** @param {string} line */
export function say(line) {
  stream.write(`${line}\n`)
}

/**
 * A duration for people.
 * @param {number} ms
 */
export function spent(ms) {
  const seconds = ms / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

/**
 * Runs a piece of work under one line: what it is, how long it usually takes, and then how long it took.
 * @template T
 * @param {{ name: string, about: string, usual: string }} words
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function stage({ name, about, usual }, work) {
  stream.write(`${name.padEnd(9)} ${about}, usually ${usual} … `)
  const began = Date.now()
  try {
    const value = await work()
    say(`done in ${spent(Date.now() - began)}`)
    return value
  } catch (error) {
    say(`failed after ${spent(Date.now() - began)}`)
    throw error
  }
}

/**
 * Runs a command to its end. An expected failure prints one sentence, a bug its stack trace.
 * @param {() => Promise<number | void>} command resolves to the exit code; undefined means that
 *   the command keeps running
 */
export async function perform(command) {
  try {
    const code = await command()
    if (code !== undefined) process.exitCode = code
  } catch (error) {
    const expected = error instanceof Error && 'expected' in error && error.expected === true
    process.stderr.write(
      `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
    )
    const code = expected && 'exitCode' in error ? Number(error.exitCode) : 1
    process.exit(code)
  }
}
