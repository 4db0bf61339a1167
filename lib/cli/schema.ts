/** `loopwright schema`: prints the JSON Schema of an agent's file. */
import { publishedSchema } from '#lib/server/agents/catalog'
import { type CliCommand, exit, readArguments, refuse } from './command'

/** The bytes of `public/schema/agent-v1.json`. */
export function schemaText(): string {
  return `${JSON.stringify(publishedSchema(), null, 2)}\n`
}

export const schema: CliCommand = {
  name: 'schema',
  usage: 'schema',
  help: 'Prints the JSON Schema of an agent’s file, as in public/schema/agent-v1.json.',
  async run(args, terminal) {
    const given = readArguments(args, {}, [])
    if (!given.ok) return refuse(terminal, schema, given.error)
    terminal.out(schemaText())
    return exit.ok
  },
}
