/** Agents as MCP servers: who may call one, and how a call becomes a run of its published version. */

import { replyOf } from '#lib/mcp/elicitation'
import type { AgentAnswer, AgentAsks, AgentQuestion, ServedAgent } from '#lib/mcp/serve'
import type { AgentKeyRow } from '#lib/spec/agent-key'
import { AppError, isAppError } from '#lib/spec/errors'
import type { RunRow } from '#lib/spec/store'
import { parseJson } from '#lib/wire/json'
import { limitsOf } from '#lib/wire/limits'
import type { GiveReply } from '#lib/wire/runs'
import type { AgentKeys } from '../door/agent-keys'
import type { Runs } from '../runs/runs'
import type { KeyRuns } from './key-runs'
import { answerOfRun, openQuestions, readState } from './run-answer'

export interface McpOutlet {
  /** Throws `not_found` for an agent that is not served. */
  answer(asked: {
    readonly name: string
    readonly key: AgentKeyRow | undefined
    readonly request: Request
  }): Promise<Response>
}

interface OutletContext {
  readonly version: string
  readonly keys: Pick<AgentKeys, 'has'>
  readonly keyRuns: Pick<KeyRuns, 'about' | 'begin' | 'owns'>
  readonly runs: Pick<Runs, 'watch' | 'get' | 'cancel' | 'reply'>
  /** The id of the agent with this name. */
  idOf(name: string): string | undefined
  readonly clock: { sleep(ms: number, signal: AbortSignal): Promise<void> }
  /** The address of this server, for links to runs. */
  address(): string
  /** How long a caller waits with a run that waits for a person, ms. Default: five minutes. */
  readonly patienceMs?: number
}

const usualPatience = 5 * 60_000

export function createMcpOutlet(context: OutletContext): McpOutlet {
  let outlet: ReturnType<typeof openOutlet> | undefined
  return {
    async answer({ name, key, request }) {
      if (key === undefined) return refuse(context, name)
      const read = parseJson(await request.text(), limitsOf(new URL(request.url).pathname))
      if (!read.ok) return unreadable(read.error)
      outlet ??= openOutlet()
      const { endpoint, serverOf } = await outlet
      const agent = servedAgent(context, key)
      const call = { request, body: read.value, caller: key.id }
      return endpoint.answer((sdk, open) => serverOf(sdk, agent, open), call)
    },
  }
}

/** Loaded with the first call. */
async function openOutlet() {
  const [{ createHttpEndpoint }, { serverOf }] = await Promise.all([
    import('#lib/mcp/serve-http'),
    import('#lib/mcp/serve'),
  ])
  return { endpoint: createHttpEndpoint(), serverOf }
}

/** The operator has no outlet either: what is lent out is lent with a key, which can be revoked. */
function refuse({ keys, idOf }: OutletContext, name: string): Response {
  const id = idOf(name)
  if (id === undefined || !keys.has(id, 'mcp'))
    throw new AppError(
      'not_found',
      'No agent of this name is served over MCP. Make a key of use “mcp” for it first.',
    )
  const message =
    'This MCP server requires an agent key of use “mcp”. Send it in the header "Authorization: Bearer <key>".'
  const headers = { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' }
  return Response.json({ error: { code: 'unauthorized', message } }, { status: 401, headers })
}

/** In the form of the protocol, because its clients show this message. */
function unreadable(message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_700, message } }, { status: 400 })
}

function servedAgent(context: OutletContext, key: AgentKeyRow): ServedAgent {
  const { name, title, description } = context.keyRuns.about(key).agent
  return { name, title, description, version: context.version, ask: (asked) => ask(context, key, asked) }
}

/** What the key cannot do, and a question that cannot be asked, is an answer that the calling model can read. */
async function ask(
  context: OutletContext,
  key: AgentKeyRow,
  asked: AgentQuestion,
): Promise<AgentAnswer | AgentAsks> {
  if (asked.replied !== undefined) return goOn(context, key, { ...asked, replied: asked.replied })
  if (asked.question.trim() === '') return refusalAnswer('The question is empty.')
  let row: RunRow
  try {
    const threadId = asked.thread
    row = context.keyRuns.begin(key, { input: asked.question, ...(threadId !== undefined && { threadId }) })
  } catch (error) {
    if (!isAppError(error)) throw error
    return refusalAnswer(error.message)
  }
  return answerOfRun(answering(context, row.id), row.id, asked)
}

function answering({ runs, clock, patienceMs = usualPatience, address }: OutletContext, runId: string) {
  return { runs, clock, patienceMs, url: `${address()}/runs/${runId}` }
}

/** Passes the replies of the client's person on to the run that asked, and follows it again. */
async function goOn(
  context: OutletContext,
  key: AgentKeyRow,
  asked: AgentQuestion & Required<Pick<AgentQuestion, 'replied'>>,
): Promise<AgentAnswer | AgentAsks> {
  const state = readState(asked.replied.state)
  if (state === undefined || !context.keyRuns.owns(key, state.runId))
    return refusalAnswer('The replies belong to no run of this key. Ask the question again.')
  const { runId, after } = state
  const faults = new Map<string, string>()
  for (const { key: name, callId, input } of openQuestions(context.runs.get(runId))) {
    const said = asked.replied.reply(name)
    if (said === undefined) continue
    const fault = await passOn(context, {
      runId,
      callId,
      reply: { inputId: input.inputId, ...replyOf(input, said) },
    })
    if (fault !== undefined) faults.set(name, fault)
  }
  return answerOfRun(answering(context, runId), runId, { ...asked, after, faults })
}

/** Returns what is wrong with the reply. Somebody else may have replied meanwhile: then that reply counts. */
async function passOn(
  { runs }: OutletContext,
  { runId, callId, reply }: { readonly runId: string; readonly callId: string; readonly reply: GiveReply },
): Promise<string | undefined> {
  try {
    await runs.reply(runId, callId, reply)
    return undefined
  } catch (error) {
    if (!isAppError(error)) throw error
    return error.code === 'unprocessable' ? error.message : undefined
  }
}

function refusalAnswer(text: string): AgentAnswer {
  return { text, isError: true, run: null }
}
