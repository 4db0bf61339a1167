/** `loopwright run`: runs an agent's file on one question, without a server or a database. */
import { Decisions } from '#lib/agent/call/decisions'
import { run as runAgent } from '#lib/agent/run'
import { start } from '#lib/agent/state/start'
import { canonicalForHash } from '#lib/graph/canonical'
import { type Assembled, assemble } from '#lib/server/agents/assemble'
import { readiness } from '#lib/server/agents/readiness'
import { systemClock } from '#lib/server/clock'
import { dataFolderOf, rootOf } from '#lib/server/environment/environment'
import { readOutbound } from '#lib/server/environment/environment-outbound'
import { createHooks, noSecrets } from '#lib/server/ports/hooks'
import { createPorts } from '#lib/server/ports/ports'
import { sha256 } from '#lib/server/runs/run-config'
import { depsOf } from '#lib/server/runs/run-deps'
import type { Catalog } from '#lib/spec/catalog'
import { defaultModel, type Parts } from '#lib/spec/config'
import type { EventOf, RunEvent } from '#lib/spec/event'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { RunStart } from '#lib/spec/state'
import type { ToolPorts } from '#lib/spec/tool'
import { catalogOf, findings, line, readJsonFile } from './agent-file'
import { decideAll } from './approve'
import { type CliCommand, exit, readArguments, refuse } from './command'
import { createModels } from './models'
import { plain, type Terminal } from './terminal'
import { traceEvent } from './trace'
import { openFiles } from './workspace'

const options = {
  json: { type: 'boolean' },
  script: { type: 'string' },
  data: { type: 'string' },
  workspace: { type: 'string' },
  yes: { type: 'boolean' },
} as const

export const run: CliCommand = {
  name: 'run',
  usage:
    'run <agent.json> "question" [--json] [--script turns.json] [--data folder] [--workspace folder] [--yes]',
  help: 'Runs an agent on one question. Prints the answer on standard output and the trace on standard error; with --json, prints one event per line instead. --script plays written turns in place of the model. --data is the data folder, --workspace the folder of the agent’s files (a new temporary one if absent). --yes approves every call that requires approval; without it you are asked, and the call is rejected if there is no terminal.',
  async run(args, terminal, parts) {
    const given = readArguments(args, options, ['agent’s file', 'question'])
    if (!given.ok) return refuse(terminal, run, given.error)
    const [file = '', question = ''] = given.value.words
    const { json, script, data, workspace, yes } = given.value.options
    if (question.trim() === '') return refuse(terminal, run, 'The question is empty.')
    const config = await readAgent({
      file,
      script: typeof script === 'string' ? script : undefined,
      terminal,
      parts,
    })
    if (config === undefined) return exit.badInput
    const outbound = readOutbound(terminal.env, parts.providers)
    if (!outbound.ok) return refuse(terminal, run, outbound.error)
    const models = createModels(outbound.value, parts)
    const assembled = await assemble(config, models.surroundings)
    if (!assembled.ok) {
      for (const each of assembled.error) terminal.err(line(file, each))
      return exit.badInput
    }
    const { shared, close } = createPorts({
      data: dataFolder(typeof data === 'string' ? data : undefined, terminal),
      allowHosts: outbound.value.allowHosts,
    })
    const files = openFiles(typeof workspace === 'string' ? workspace : undefined, terminal)
    const databases = shared.sql.databases()
    const missing = (name: string) =>
      `There is no database "${name}": the command line has only ${databases.join(', ')}.`
    for (const each of readiness(assembled.value.config, { databases, missing, ...models }, parts))
      terminal.err(line(file, each))
    try {
      return await live({
        config,
        question,
        json: json === true,
        approvesAll: yes === true,
        assembled: assembled.value,
        ports: { ...shared, ...files.ports },
        terminal,
        catalog: catalogOf(parts),
      })
    } finally {
      files.tell()
      close()
      models.close()
    }
  },
}

/** The server's data folder, unless another is named. */
function dataFolder(named: string | undefined, { env, folder }: Terminal): string {
  return dataFolderOf(named ?? env.LOOPWRIGHT_DATA, { cwd: folder, root: rootOf(env, folder) })
}

interface AgentFile {
  readonly file: string
  /** Written turns. */
  readonly script: string | undefined
  readonly terminal: Terminal
  readonly parts: Parts
}

/** The config to run, the written turns in place of its model; undefined once it has said what is wrong. */
async function readAgent({ file, script, terminal, parts }: AgentFile): Promise<JsonObject | undefined> {
  const read = await readJsonFile(file, terminal)
  if (!read.ok) return tell(terminal, read.error)
  let value = read.value
  if (script !== undefined) {
    const turns = await readJsonFile(script, terminal)
    if (!turns.ok) return tell(terminal, turns.error)
    value = withScript(value, turns.value)
  }
  const { config, diagnostics } = findings(value, parts)
  for (const each of diagnostics) {
    const isScript = script !== undefined && each.path?.startsWith('model/') === true
    if (each.severity !== 'info') terminal.err(line(isScript ? script : file, each))
  }
  return config ?? undefined
}

function tell(terminal: Terminal, sentence: string): undefined {
  terminal.err(`${sentence}\n`)
}

/** A script is a list of turns, or an object with a list `turns`. */
function withScript(config: JsonValue, script: JsonValue): JsonValue {
  if (!isObject(config)) return config
  const turns = isObject(script) ? (script.turns ?? script) : script
  // The provider that answers where no model is named is the one that plays written turns.
  return { ...config, model: { provider: defaultModel.provider, name: 'script', turns } }
}

interface Live {
  readonly config: JsonObject
  readonly question: string
  readonly json: boolean
  readonly approvesAll: boolean
  readonly assembled: Assembled
  readonly ports: ToolPorts
  readonly terminal: Terminal
  readonly catalog: Catalog
}

async function live({
  config,
  question,
  json,
  approvesAll,
  assembled,
  ports,
  terminal,
  catalog,
}: Live): Promise<number> {
  const abort = new AbortController()
  const release = terminal.onInterrupt(() => {
    if (abort.signal.aborted) terminal.exit(130)
    else terminal.err('\nCancelling. Press Ctrl-C again to exit at once.\n')
    abort.abort('cancel')
  })
  let end: EventOf<'run.finished'> | undefined
  // Nothing is stored here, so there is no commit to wait for.
  const deps = depsOf({ ports, clock: systemClock }, assembled, async () => {})
  const decisions = new Decisions()
  const hooks = createHooks({ web: ports.web, open: noSecrets })(null)
  const report = (error: unknown) =>
    terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  try {
    const state = start(startOf(config, assembled, { question, catalog }))
    while (end === undefined) {
      const { signal } = abort
      for await (const event of runAgent(state, { ...deps, decisions, hooks, report }, signal, 'decided')) {
        show(event, json, terminal)
        if (event.type === 'run.finished' && event.parent === undefined) end = event
      }
      // The run returned without an end, so it waits for a person.
      if (end === undefined)
        for (const each of await decideAll(state, terminal, { approvesAll, signal })) decisions.push(each)
    }
  } finally {
    release()
  }
  if (!json && end?.answer) terminal.out(`${plain(end.answer)}\n`)
  return end?.status === 'completed' ? exit.ok : exit.failed
}

function show(event: RunEvent, json: boolean, terminal: Terminal): void {
  if (json) terminal.out(`${JSON.stringify(event)}\n`)
  else terminal.err(traceEvent(event))
}

function startOf(
  config: JsonObject,
  { config: { name } }: Assembled,
  { question: input, catalog }: Pick<Live, 'question' | 'catalog'>,
): RunStart {
  const configHash = sha256(canonicalForHash(config, catalog.schema))
  return {
    agent: { id: null, name, version: 'draft', configHash },
    input,
    threadId: null,
    historyThrough: null,
    history: [],
  }
}
