/** Runs one tool by hand, outside of any run. */
import { AtWork } from '#lib/agent/call/at-work'
import type { Clock } from '#lib/agent/deps'
import { type CleanOutput, cleanOutput, messageOf } from '#lib/agent/observation/observe'
import { redactBlocks, redactKeyed } from '#lib/agent/observation/redact'
import { problemsOf } from '#lib/graph/validate'
import { AppError } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import type { Tool, ToolPorts } from '#lib/spec/tool'
import type { TriedTool } from '#lib/wire/tools'

/** What a trial needs of a tool. */
export type TriableTool = Pick<Tool, 'name' | 'parameters' | 'timeoutSeconds' | 'run'>

interface TryContext {
  readonly tools: readonly TriableTool[]
  readonly ports: ToolPorts
  readonly clock: Clock
  /** Replaces known secrets in the output of the tool. */
  redact(text: string): string
}

/** Throws `not_found` for an unknown tool, and `bad_request` for arguments that do not fit it. */
export async function tryTool(
  { tools, ...context }: TryContext,
  { name, args, signal }: { name: string; args: JsonObject; signal: AbortSignal },
): Promise<TriedTool> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new AppError('not_found', `There is no tool called ${name.slice(0, 100)}.`)
  checkArgs(tool, args)
  return runByHand(context, { tool, args, signal })
}

interface ByHand {
  readonly tool: TriableTool
  /** They fit the tool. */
  readonly args: JsonObject
  readonly signal: AbortSignal
}

/** Runs the tool to its end, its time limit or the abort of the signal. */
async function runByHand(
  { ports, clock, redact }: Omit<TryContext, 'tools'>,
  { tool, args, signal }: ByHand,
): Promise<TriedTool> {
  const atWork = new AtWork({ clock, show: () => undefined })
  const late = new AbortController()
  const { inLine } = atWork
  const stopClock = atWork.onceWorked(tool.timeoutSeconds, () => late.abort('timeout'))
  const context = {
    callId: 'try',
    run: { id: null, agent: { id: null, name: '' }, thread: null, step: 0 },
    inLine,
    signal: AbortSignal.any([signal, late.signal]),
    now: () => clock.now(),
    progress: () => undefined,
    created: () => undefined,
    ports,
  }
  const output = await Promise.race([
    outputOf(tool, args, { context, redact }),
    outputOnAbort(context.signal),
  ])
  const durationMs = Math.round(atWork.workedMs)
  atWork.end()
  stopClock()
  const status = output.ok ? 'ok' : late.signal.aborted ? 'timeout' : 'error'
  return {
    name: tool.name,
    status,
    code: output.ok ? null : output.code,
    result: {
      blocks: redactBlocks(
        { redact },
        output.ok ? [...output.blocks] : [{ type: 'text', text: output.message }],
      ),
    },
    ...(output.metadata && { metadata: redactKeyed({ redact }, output.metadata) }),
    durationMs,
  }
}

/** Checks like a call of a model, but corrects nothing: a person sees what to change. Throws `bad_request`. */
export function checkArgs({ name, parameters }: Pick<Tool, 'name' | 'parameters'>, args: JsonObject): void {
  const problems = problemsOf(args, parameters)
  const [first] = problems
  if (first === undefined) return
  throw new AppError('bad_request', `The arguments do not fit ${name}: ${first.message}`, {
    path: first.path === '' ? 'args' : `args/${first.path}`,
    problems,
  })
}

type Tried = Exclude<CleanOutput, { ok: 'asks' | 'rests' }>

const asksInRuns = 'This tool asks a person, which only works in a run. Run the agent to see the question.'

async function outputOf(
  tool: TriableTool,
  args: JsonObject,
  { context, redact }: { context: Parameters<Tool['run']>[1]; redact(text: string): string },
): Promise<Tried> {
  try {
    const output = cleanOutput(await tool.run(args, context))
    if (output.ok !== 'asks' && output.ok !== 'rests') return output
    return { ok: false, code: 'asks', message: asksInRuns }
  } catch (error) {
    return { ok: false, code: 'exception', message: messageOf(error, tool.name, redact) }
  }
}

/** Resolves on abort, so that a tool that ignores the signal cannot delay the answer. */
function outputOnAbort(signal: AbortSignal): Promise<Tried> {
  return new Promise((resolve) => {
    const stop = () =>
      resolve({ ok: false, code: 'timeout', message: 'The tool took too long and was stopped.' })
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
