/** `loopwright mcp`: serves an agent's file as an MCP server with one tool, over standard input and output. */
import { randomBytes } from 'node:crypto'
import { Writable } from 'node:stream'
import { messagesOf } from '#lib/agent/state/dialogue'
import type { AgentAnswer, AgentQuestion } from '#lib/mcp/serve'
import { rootOf } from '#lib/server/environment/environment'
import { programVersion } from '#lib/server/environment/program-version'
import { createFollowing } from '#lib/server/outlet/following'
import type { EventOf } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import { type CliCommand, exit, readArguments, refuse, textOption } from './command'
import { readAgent, withAgent } from './open-agent'
import { type AgentRun, runToEnd } from './run'
import { type ClientOfRun, openServedCall, type ServedCall } from './served-call'
import { surroundingOptions } from './surroundings'
import { eventForTerminal, type ModelPlace } from './terminal-words'
import { traceEvent } from './trace'

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
  help: 'Serves an agent as an MCP server with one tool, for a program that starts it and speaks the protocol over standard input and output. The trace goes to standard error. A call may continue the thread of an earlier one while the server runs; nothing is stored. Calls that require approval are rejected, because nobody can be asked; --yes approves them. Questions of the agent go to a client that shows forms, and are declined otherwise. The other options are those of run.',
  async run(args, terminal, parts) {
    const given = readArguments(args, options, ['agent’s file'])
    if (!given.ok) return refuse(terminal, mcp, given.error)
    const [file = ''] = given.value.words
    if (file === '-')
      return refuse(terminal, mcp, 'Standard input is for the protocol. Name a file with the agent.')
    const config = await readAgent({ file, script: textOption(given.value, 'script'), terminal, parts })
    if (config === undefined) return exit.badInput
    return await withAgent({ command: mcp, file, config, given: given.value, terminal, parts }, (agent) =>
      serve({
        ...agent,
        approvesAll: given.value.options.yes === true,
        isAsked: false,
        // Standard input holds messages, so nobody can be asked there.
        terminal: { ...terminal, isInteractive: false },
      }),
    )
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
  const open = new Set<Promise<unknown>>()
  const threads = createThreads()
  const calls = new Map<string, ServedCall>()
  /** A new run, or the one whose question the client's person has answered. */
  const callOf = (asked: AgentQuestion): ServedCall | undefined => {
    if (asked.replied !== undefined) return calls.get(asked.replied.state)
    const call = openServedCall(stop.signal, (client) => {
      const answer = ask(served, threads, { asked, client }).finally(() => {
        calls.delete(call.state)
        open.delete(answer)
      })
      open.add(answer)
      return answer
    })
    calls.set(call.state, call)
    return call
  }
  const agent = {
    name,
    title: title || name,
    description: description ?? '',
    version: programVersion(rootOf(terminal.env, terminal.folder)),
    ask: async (asked: AgentQuestion) =>
      callOf(asked)?.next(asked) ?? refusal('The replies belong to no call of this server.'),
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
    // The connection is closed, which cancels the calls; their runs end in order.
    stop.abort()
    await Promise.allSettled(open)
    return exit.ok
  } finally {
    release()
  }
}

interface Asked {
  readonly asked: AgentQuestion
  readonly client: ClientOfRun
}

async function ask(
  served: Served,
  threads: Threads,
  { asked: { question, thread }, client }: Asked,
): Promise<AgentAnswer> {
  if (question.trim() === '') return refusal('The question is empty.')
  const history = thread === undefined ? [] : threads.get(thread)
  if (history === undefined) return refusal('There is no such thread.')
  const following = createFollowing(null)
  const { terminal, place } = served
  const given = { ...served, question, history, askElsewhere: client.ask }
  const { end, state } = await runToEnd(given, client.cancelled, (event) => {
    terminal.err(traceEvent(eventForTerminal(event, place)))
    const sentence = following.read(event)
    if (sentence !== undefined) client.progress(sentence)
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
