/** `loopwright validate`: prints what is wrong with an agent's file, and what a run here would lack. */
import { assemble } from '#lib/server/agents/assemble'
import type { Parts } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { findings, line, nameOf, readJsonFile } from './agent-file'
import { skillsOf } from './agent-skills'
import { type CliCommand, exit, type Given, readArguments, refuse } from './command'
import { openSurroundings, surroundingOptions } from './surroundings'
import type { Terminal } from './terminal'

export const validate: CliCommand = {
  name: 'validate',
  usage: 'validate <agent.json | -> [--endpoint name=URL] [--data folder] [--skills folder]',
  help: 'Checks an agent’s file (or standard input) and lists what is wrong with it, and as warnings what a run with the same options would lack here: an address, a key, a price, a database, a secret or a skill. The exit code is 0 when the file is valid, with or without warnings, 1 when it has errors, and 2 when it is not JSON.',
  async run(args, terminal, parts) {
    const given = readArguments(args, surroundingOptions, ['file'])
    if (!given.ok) return refuse(terminal, validate, given.error)
    const [file = '-'] = given.value.words
    const read = await readJsonFile(file, terminal)
    if (!read.ok) {
      terminal.out(`${read.error}\n`)
      return exit.badInput
    }
    const { config, diagnostics } = findings(read.value, parts)
    for (const each of diagnostics) terminal.out(line(file, each))
    if (config === null) return exit.failed
    const lacks = await lacksOf(config, { file, given: given.value, terminal, parts })
    if (!lacks.ok) return refuse(terminal, validate, lacks.error)
    for (const each of lacks.value) terminal.out(line(file, each))
    if (lacks.value.some(({ severity }) => severity === 'error')) return exit.failed
    const more = lacks.value.length === 0 ? '' : `, but a run here would lack ${countOf(lacks.value.length)}`
    terminal.out(`${nameOf(file)}: valid${more}\n`)
    return exit.ok
  },
}

interface Around {
  readonly file: string
  readonly given: Given
  readonly terminal: Terminal
  readonly parts: Parts
}

/** What is missing here, or errors that only show when the parts are put together. */
async function lacksOf(
  config: JsonObject,
  { file, given, terminal, parts }: Around,
): Promise<Result<readonly Diagnostic[], string>> {
  const opened = openSurroundings(given, terminal, parts)
  if (!opened.ok) return opened
  const around = opened.value
  try {
    const assembled = await assemble(config, around.models.surroundings)
    if (!assembled.ok) return { ok: true, value: assembled.error }
    const { config: read } = assembled.value
    const { skills, problems } = await skillsOf([read], { file, given, terminal, kept: around.ports.skills })
    for (const each of problems) terminal.out(`${each}\n`)
    return { ok: true, value: around.lacksOf(read, skills) }
  } finally {
    around.close()
  }
}

function countOf(count: number): string {
  return count === 1 ? 'one thing' : `${count} things`
}
