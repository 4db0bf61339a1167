/** `loopwright run`: runs an agent's file on one question, without a server or a database. */
import { Decisions } from '#lib/agent/call/decisions'
import { run as runAgent } from '#lib/agent/run'
import { start } from '#lib/agent/state/start'
import { canonicalForHash } from '#lib/graph/canonical'
import type { Assembled } from '#lib/server/agents/assemble'
import { systemClock } from '#lib/server/clock'
import { createHooks } from '#lib/server/ports/hooks'
import { earlierInHistory } from '#lib/server/runs/given-history'
import { sha256 } from '#lib/server/runs/run-config'
import { depsOf } from '#lib/server/runs/run-deps'
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { RunStart, RunState } from '#lib/spec/state'
import { createAsking } from './asking'
import { type CliCommand, exit, readArguments, refuse, textOption } from './command'
import { type OpenAgent, readAgent, withAgent } from './open-agent'
import { personAt } from './person'
import { replyTo } from './reply'
import { readHistory, readOverrides, withOverrides } from './run-options'
import { surroundingOptions } from './surroundings'
import { plain, type Terminal } from './terminal'
import { eventForTerminal, type ModelPlace } from './terminal-words'
import { traceEvent } from './trace'

const options = {
  json: { type: 'boolean' },
  script: { type: 'string' },
  history: { type: 'string' },
  'max-steps': { type: 'string' },
  temperature: { type: 'string' },
  workspace: { type: 'string' },
  yes: { type: 'boolean' },
  'non-interactive': { type: 'boolean' },
  ...surroundingOptions,
} as const

export const run: CliCommand = {
  name: 'run',
  usage:
    'run <agent.json> "question" [--json] [--endpoint name=URL] [--data folder] [--knowledge name=folder] [--history messages.json] [--max-steps n] [--temperature n] [--workspace folder] [--skills folder] [--script turns.json] [--yes] [--non-interactive]',
  help: 'Runs an agent on one question. Prints the answer on standard output and the trace on standard error; with --json, prints one event per line instead. --endpoint gives the address of an OpenAI-compatible endpoint that the agent names, and may be repeated; its key is read from the environment, as in OLLAMA_API_KEY for ollama. --data names the data folder of a server, whose endpoints, keys, prices, databases and collections are then used. --knowledge reads a folder of text, Markdown, HTML, PDF and DOCX files as a collection that the agent names, and may be repeated. --script plays written turns in place of the model. --history is a file with the dialogue before the question, as a JSON list of messages. --max-steps and --temperature replace those of the agent. --workspace is the folder of the agent’s files (a new temporary one if absent). --skills is a folder with the agent’s skills; without it they are looked for in a folder “skills” beside the agent’s file, and beside the file itself. --yes approves every call that requires approval; without it you are asked, and the call is rejected if there is no terminal. Questions of the agent are put to you at the terminal. --non-interactive asks nobody: calls that require approval are rejected, and questions are declined, as they are where there is no terminal.',
  async run(args, terminal, parts) {
    const given = readArguments(args, options, ['agent’s file', 'question'])
    if (!given.ok) return refuse(terminal, run, given.error)
    const [file = '', question = ''] = given.value.words
    const { json, yes, 'non-interactive': isAlone } = given.value.options
    if (question.trim() === '') return refuse(terminal, run, 'The question is empty.')
    const overrides = readOverrides(given.value)
    if (!overrides.ok) return refuse(terminal, run, overrides.error)
    const read = await readAgent({ file, script: textOption(given.value, 'script'), terminal, parts })
    if (read === undefined) return exit.badInput
    const config = withOverrides(read, overrides.value, { terminal, parts })
    const history = await readHistory(textOption(given.value, 'history'), terminal)
    if (config === undefined || history === undefined) return exit.badInput
    return await withAgent({ command: run, file, config, given: given.value, terminal, parts }, (agent) =>
      live({
        ...agent,
        question,
        history,
        json: json === true,
        approvesAll: yes === true,
        isAsked: isAlone !== true,
        terminal,
      }),
    )
  },
}

export interface AgentRun extends Omit<OpenAgent, 'place' | 'others'> {
  readonly question: string
  readonly history: readonly Message[]
  readonly approvesAll: boolean
  /** Whether the person at the terminal may be asked. */
  readonly isAsked: boolean
  /** Asks somebody who is not at the terminal; undefined for a question that they cannot be asked. */
  askElsewhere?(question: InputQuestion): Promise<InputReply | undefined>
  readonly terminal: Terminal
}

interface Live extends AgentRun {
  readonly json: boolean
  readonly place: ModelPlace
}

async function live({ json, ...given }: Live): Promise<number> {
  const { terminal, place } = given
  const abort = new AbortController()
  const release = terminal.onInterrupt(() => {
    if (abort.signal.aborted) terminal.exit(130)
    else terminal.err('\nCancelling. Press Ctrl-C again to exit at once.\n')
    abort.abort('cancel')
  })
  try {
    const { end } = await runToEnd(given, abort.signal, (event) =>
      show(eventForTerminal(event, place), json, terminal),
    )
    if (!json && end.answer) terminal.out(`${plain(end.answer)}\n`)
    return end.status === 'completed' ? exit.ok : exit.failed
  } finally {
    release()
  }
}

/** Runs the agent on one question; the calls that wait for a person are decided as the terminal allows. */
export async function runToEnd(
  given: AgentRun,
  signal: AbortSignal,
  onEvent: (event: RunEvent) => void,
): Promise<{ end: EventOf<'run.finished'>; state: RunState }> {
  const { config, question, history, approvesAll, isAsked, assembled, ports, open, terminal, catalog } = given
  let end: EventOf<'run.finished'> | undefined
  // Nothing is stored here, so there is no commit to wait for.
  const deps = depsOf({ ports, clock: systemClock }, assembled, async () => {})
  const decisions = new Decisions()
  const hooks = createHooks({ web: ports.web, open })(null)
  const report = (error: unknown) =>
    terminal.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  const person = personAt(terminal, { isAsked, signal })
  const reply = async (question: InputQuestion) =>
    (await given.askElsewhere?.(question)) ?? (await replyTo(question, person))
  const state = start(startOf(config, assembled, { question, history, catalog }))
  const asking = createAsking(state, { person, approvesAll, decisions, signal, reply })
  try {
    while (end === undefined) {
      for await (const event of runAgent(state, { ...deps, decisions, hooks, report }, signal, 'decided')) {
        onEvent(event)
        asking.heed(event)
        if (event.type === 'run.finished' && event.parent === undefined) end = event
      }
      // The run returned without an end, so it waits for a person.
      if (end === undefined) await asking.askAll()
    }
  } finally {
    person.close()
  }
  return { end, state }
}

function show(event: RunEvent, json: boolean, terminal: Terminal): void {
  if (json) terminal.out(`${JSON.stringify(event)}\n`)
  else terminal.err(traceEvent(event))
}

function startOf(
  config: JsonObject,
  { config: { name } }: Assembled,
  { question: input, history, catalog }: Pick<AgentRun, 'question' | 'history' | 'catalog'>,
): RunStart {
  const configHash = sha256(canonicalForHash(config, catalog.schema))
  const earlier = earlierInHistory(history)
  return {
    agent: { id: null, name, version: 'draft', configHash },
    input,
    threadId: null,
    historyThrough: null,
    history,
    ...(earlier && { earlier }),
  }
}
