/** `loopwright mcp`: serves an agent's file as an MCP server with one tool, over standard input and output. */
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { messagesOf } from '#lib/agent/state/dialogue'
import type { AgentAnswer, AgentQuestion } from '#lib/mcp/serve'
import { assemble } from '#lib/server/agents/assemble'
import { rootOf } from '#lib/server/environment/environment'
import { programVersion } from '#lib/server/environment/program-version'
import { createFollowing } from '#lib/server/outlet/following'
import type { EventOf } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import { catalogOf, line } from './agent-file'
import { type CliCommand, exit, readArguments, refuse, textOption } from './command'
import { type AgentRun, readAgent, runToEnd } from './run'
import { openSurroundings, surroundingOptions } from './surroundings'
import { eventForTerminal, type ModelPlace, modelPlace } from './terminal-words'
import { traceEvent } from './trace'
import { openFiles } from './workspace'

const options = {
  script: { type: 'string' },
  workspace: { type: 'string' },
  yes: { type: 'boolean' },
  ...surroundingOptions,
} as const

export const mcp: CliCommand = {
  name: 'mcp',
  usage:
    'mcp <agent.json> [--endpoint name=URL] [--data folder] [--workspace folder] [--script turns.json] [--yes]',
  help: 'Serves an agent as an MCP server with one tool, for a program that starts it and speaks the protocol over standard input and output. The trace goes to standard error. A call may continue the thread of an earlier one while the server runs; nothing is stored. Calls that require approval are rejected, because nobody can be asked; --yes approves them. The other options are those of run.',
  async run(args, terminal, parts) {
    const given = readArguments(args, options, ['agent’s file'])
    if (!given.ok) return refuse(terminal, mcp, given.error)
    const [file = ''] = given.value.words
    if (file === '-')
      return refuse(terminal, mcp, 'Standard input is for the protocol. Name a file with the agent.')
    const config = await readAgent({ file, script: textOption(given.value, 'script'), terminal, parts })
    if (config === undefined) return exit.badInput
    const opened = openSurroundings(given.value, terminal, parts)
    if (!opened.ok) return refuse(terminal, mcp, opened.error)
    const around = opened.value
    const files = openFiles(textOption(given.value, 'workspace'), terminal)
    try {
      const assembled = await assemble(config, around.models.surroundings)
      if (!assembled.ok) {
        for (const each of assembled.error) terminal.err(line(file, each))
        return exit.badInput
      }
      for (const each of around.lacksOf(assembled.value.config)) terminal.err(line(file, each))
      return await serve({
        config,
        approvesAll: given.value.options.yes === true,
        isAsked: false,
        assembled: assembled.value,
        ports: { ...around.ports, ...files.ports },
        open: around.models.open,
        // Standard input holds messages, so nobody can be asked there.
        terminal: { ...terminal, isInteractive: false },
        catalog: catalogOf(parts),
        place: modelPlace(assembled.value.config.model, parts.providers),
      })
    } finally {
      files.tell()
      around.close()
    }
  },
}

interface Served extends Omit<AgentRun, 'question' | 'history'> {
  readonly place: ModelPlace
}

async function serve(served: Served): Promise<number> {
  const { terminal, assembled } = served
  const { name, title, description } = assembled.config
  const stop = new AbortController()
  const release = terminal.onInterrupt(() => {
    if (stop.signal.aborted) terminal.exit(130)
    stop.abort()
  })
  const open = new Set<Promise<AgentAnswer>>()
  const threads = createThreads()
  const agent = {
    name,
    title: title || name,
    description: description ?? '',
    version: programVersion(rootOf(terminal.env, terminal.folder)),
    ask: (asked: AgentQuestion) => {
      const answer = ask(served, threads, asked)
      open.add(answer)
      return answer.finally(() => open.delete(answer))
    },
  }
  const output = new Writable({
    write: (chunk, _, done) => {
      terminal.out(String(chunk))
      done()
    },
  })
  try {
    const { serveStdio } = await import('#lib/mcp/serve-stdio')
    terminal.err(`Serving ${name} over standard input and output. Stop with Ctrl-C.\n`)
    const report = (error: Error) => terminal.err(`${error.message}\n`)
    await serveStdio(agent, { input: terminal.input, output, signal: stop.signal, report })
    // The connection is closed, which has cancelled the calls; their runs end in order.
    await Promise.allSettled(open)
    return exit.ok
  } finally {
    release()
  }
}

async function ask(served: Served, threads: Threads, asked: AgentQuestion): Promise<AgentAnswer> {
  const { question, thread, cancelled, progress } = asked
  if (question.trim() === '') return refusal('The question is empty.')
  const history = thread === undefined ? [] : threads.get(thread)
  if (history === undefined) return refusal('There is no such thread.')
  const following = createFollowing(null)
  const { terminal, place } = served
  const { end, state } = await runToEnd({ ...served, question, history }, cancelled, (event) => {
    terminal.err(traceEvent(eventForTerminal(event, place)))
    const sentence = following.read(event)
    if (sentence !== undefined) progress(sentence)
  })
  const threadId = threads.keep(thread, [...history, ...messagesOf(state)])
  return answerOf(end, threadId)
}

function answerOf({ status, answer, output, error }: EventOf<'run.finished'>, threadId: string): AgentAnswer {
  const run = { runId: null, threadId, status, ...(output !== undefined && { output }) }
  if (status === 'completed') return { text: answer ?? '', isError: false, run }
  const text = `The run has no answer. It is ${status}${error === null ? '' : `: ${error.message}`}.`
  return { text: answer ? `${answer}\n\n${text}` : text, isError: true, run }
}

function refusal(text: string): AgentAnswer {
  return { text, isError: true, run: null }
}

interface Threads {
  get(id: string): readonly Message[] | undefined
  /** Keeps the dialogue of a thread, of a new one without an id; returns its id. */
  keep(id: string | undefined, messages: readonly Message[]): string
}

/** The most threads that are kept; the one used least recently is dropped first. */
const mostThreads = 100

function createThreads(): Threads {
  const kept = new Map<string, readonly Message[]>()
  return {
    get: (id) => kept.get(id),
    keep: (known, messages) => {
      const id = known ?? `thread_${randomBytes(10).toString('hex')}`
      kept.delete(id)
      kept.set(id, messages)
      const [oldest] = kept.keys()
      if (kept.size > mostThreads && oldest !== undefined) kept.delete(oldest)
      return id
    },
  }
}
