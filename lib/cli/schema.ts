/** `loopwright schema`: prints the JSON Schema of an agent's file. */
import { publishedSchema } from '#lib/server/agents/catalog'
import type { Parts } from '#lib/spec/config'
import { type CliCommand, exit, readArguments, refuse } from './command'

/** The bytes of `public/schema/agent-v1.json`. */
export function schemaText(parts?: Parts): string {
  return `${JSON.stringify(publishedSchema(parts), null, 2)}\n`
}

export const schema: CliCommand = {
  name: 'schema',
  usage: 'schema',
  help: 'Prints the JSON Schema of an agent’s file, as in public/schema/agent-v1.json.',
  async run(args, terminal, parts) {
    const given = readArguments(args, {}, [])
    if (!given.ok) return refuse(terminal, schema, given.error)
    terminal.out(schemaText(parts))
    return exit.ok
  },
}
