/** The interface of a command of the command line, and how its arguments are read. */
import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Parts } from '#lib/spec/config'
import type { Result } from '#lib/spec/errors'
import type { Terminal } from './terminal'

export const exit = { ok: 0, failed: 1, badInput: 2 } as const

export interface CliCommand {
  readonly name: string
  /** The text after `loopwright`. */
  readonly usage: string
  readonly help: string
  /** Resolves to the exit code. */
  run(args: readonly string[], terminal: Terminal, parts: Parts): Promise<number>
}

type Options = NonNullable<ParseArgsConfig['options']>

export interface Given {
  readonly words: readonly string[]
  /** A text for an option with a value, a list for one that may be repeated, true for one without a value. */
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

/** Reads the options and exactly the named words, or returns one sentence on what is wrong. */
export function readArguments(
  args: readonly string[],
  options: Options,
  names: readonly string[],
): Result<Given, string> {
  let words: string[]
  let values: Given['options']
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    words = read.positionals
    values = read.values as Given['options'] // cast: no option that may be repeated is without a value
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return { ok: false, error: `${error.message.split('. ')[0]?.replace(/\.$/, '')}.` }
  }
  const missing = names[words.length]
  if (missing !== undefined) return { ok: false, error: `The ${missing} is missing.` }
  const extra = words[names.length]
  if (extra !== undefined)
    return { ok: false, error: `"${extra}" is an unexpected argument. Put text of several words in quotes.` }
  return { ok: true, value: { words, options: values } }
}

/** The value of an option; undefined if it was not given. */
export function textOption({ options }: Given, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** The values of an option that may be repeated. */
export function listOption({ options }: Given, name: string): readonly string[] {
  const value = options[name]
  return Array.isArray(value) ? value : []
}

/** Reports what is wrong with the arguments. */
export function refuse(terminal: Terminal, command: CliCommand, sentence: string): number {
  terminal.err(`${sentence} Usage: loopwright ${command.usage}\n`)
  return exit.badInput
}
