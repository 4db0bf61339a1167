/**
 * The misbehaving model server for use at a terminal (`node e2e/model-server.mjs`); the journeys import it
 * directly.
 */
import fs from 'node:fs'
import { parseArgs } from 'node:util'
import type { Behaviour } from './model-server/behaviour'
import { type ModelServer, startModelServer } from './model-server/model-server'

/**
 * Serves until the process ends, and prints every request.
 * @param args `--port 4010`, by default any free one; `--behaviour demo`, or a JSON file with a list of
 * behaviours, one for each request in order; `--key sk-…`, without which every request is answered
 */
export async function main(args: string[]): Promise<ModelServer> {
  const { values } = parseArgs({
    args,
    options: {
      port: { type: 'string', default: '0' },
      behaviour: { type: 'string', default: 'demo' },
      key: { type: 'string' },
    },
  })
  const { port, behaviour, key } = values
  const server = await startModelServer({
    port: Number(port),
    behaviour: behaviour === 'demo' ? 'demo' : readBehaviours(behaviour),
    ...(key === undefined ? {} : { key }),
    onRequest: ({ n, wire, path, refusal }) =>
      process.stdout.write(
        `${n}  ${wire}  ${path}${refusal === undefined ? '' : `  refused: ${refusal.message}`}\n`,
      ),
  })
  process.stdout.write(`OpenAI     ${server.openaiUrl}\nAnthropic  ${server.anthropicUrl}\n`)
  return server
}

function readBehaviours(file: string): Behaviour[] {
  const list: unknown = JSON.parse(fs.readFileSync(file, 'utf8'))
  if (!Array.isArray(list)) throw new Error(`${file} holds no list of behaviours`)
  return list as Behaviour[] // cast: a person's own file; misspelled behaviours are not played
}
