/** `loopwright validate`: prints what is wrong with an agent's file, one line each. */

import { findings, line, nameOf, readJsonFile } from './agent-file'
import { type CliCommand, exit, readArguments, refuse } from './command'

export const validate: CliCommand = {
  name: 'validate',
  usage: 'validate <agent.json | ->',
  help: 'Checks an agent’s file (or standard input) and lists what is wrong with it. The exit code is 0 when the agent can run, 1 when it has errors, and 2 when the file is not JSON.',
  async run(args, terminal, parts) {
    const given = readArguments(args, {}, ['file'])
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
    terminal.out(`${nameOf(file)}: valid\n`)
    return exit.ok
  },
}
