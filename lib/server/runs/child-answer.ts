/** What a call of another agent returns, from the end of the run inside it. */
import type { RunState } from '#lib/spec/state'
import type { ToolOutput } from '#lib/spec/tool-output'

interface Ended {
  readonly name: string
  /** Where the agent worked, and where its caller works. */
  readonly folder: readonly string[]
  readonly from: readonly string[]
}

export function answerOf(state: RunState, { name, folder, from }: Ended): ToolOutput {
  const { status, answer, output, error, steps, start } = state
  const files = filesOf(state, from)
  const metadata = {
    agent: start.agent.name,
    version: start.agent.version,
    steps: steps.length,
    ...(files.length > 0 && { files }),
  }
  const made = files.length === 0 ? [] : [textBlock(`Files that ${name} made:\n${files.join('\n')}`)]
  const said =
    output !== undefined ? [{ type: 'json' as const, value: output }] : answer ? [textBlock(answer)] : []
  if (status === 'completed' && said.length > 0) return { ok: true, blocks: [...said, ...made], metadata }
  if (status === 'max_steps' && said.length > 0) {
    const limit = textBlock(`${name} stopped at its limit of steps, so this may not be complete.`)
    return { ok: true, blocks: [...said, limit, ...made], metadata }
  }
  const why = error === null ? reasonOf(status) : `${reasonOf(status)} ${error.message}`
  const left = answer ? `\nWhat it had written:\n${answer}` : ''
  return { ok: false, code: `agent_${status}`, message: `${name} ${why}${left}`, metadata }

  /** Paths as the caller's own tools name them. */
  function filesOf({ artifacts }: RunState, base: readonly string[]): string[] {
    const above = base.length === 0 ? '' : `${base.join('/')}/`
    const paths = artifacts.flatMap((each) => each.path ?? [])
    const within = paths.map((path) => (path.startsWith(above) ? path.slice(above.length) : path))
    return folder === from ? [] : [...new Set(within)].slice(0, 50)
  }
}

function textBlock(text: string) {
  return { type: 'text' as const, text }
}

function reasonOf(status: RunState['status']): string {
  switch (status) {
    case 'budget':
      return 'was stopped, since a budget is used up.'
    case 'cancelled':
      return 'was cancelled.'
    case 'max_steps':
      return 'reached its limit of steps without an answer.'
    case 'completed':
      return 'ended without an answer.'
    default:
      // A run that has ended in any other way has failed.
      return 'did not finish.'
  }
}
