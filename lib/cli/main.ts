/** The command line: finds the command and hands over. */
import { productParts } from '#lib/server/parts'
import type { Parts } from '#lib/spec/config'
import { apis } from './apis'
import { type CliCommand, exit } from './command'
import { dryRun } from './dry-run'
import { mcp } from './mcp'
import { run } from './run'
import { schema } from './schema'
import { serve } from './serve'
import { skills } from './skills'
import { processTerminal, type Terminal } from './terminal'
import { validate } from './validate'
import { walls } from './walls'

const commands: readonly CliCommand[] = [run, mcp, dryRun, validate, schema, skills, apis, walls, serve]

/**
 * Runs one command.
 * @param argv what follows the program's name
 * @param parts those of the product unless given
 * @returns the exit code: 0 well, 1 otherwise, 2 when the input is at fault
 */
export async function main(
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
  parts: Parts = productParts,
): Promise<number> {
  const [name, ...args] = argv
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    terminal.out(helpText())
    return exit.ok
  }
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    terminal.err(
      `There is no command "${name}". Use ${commands.map((each) => each.name).join(', ')} or help.\n`,
    )
    return exit.badInput
  }
  if (args.includes('--help') || args.includes('-h')) {
    terminal.out(`loopwright ${command.usage}\n  ${command.help}\n`)
    return exit.ok
  }
  return command.run(args, terminal, parts)
}

function helpText(): string {
  const each = commands.map(({ usage, help }) => `  loopwright ${usage}\n      ${help}\n`)
  return `Loopwright: draw an agent, run it, watch every step.\n\n${each.join('')}`
}
