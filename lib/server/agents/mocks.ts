/** The mocks of an agent's draft: kept beside the drawing, and part of no version and no export. */
import { redactKeyed } from '#lib/agent/observation/redact'
import { AppError } from '#lib/spec/errors'
import { type Mock, mock as mockSchema } from '#lib/spec/mock'
import type { Redact } from '#lib/spec/redact'
import type { Stores } from '#lib/spec/store'
import type { KeptMock } from '#lib/spec/trial'
import type { MockList } from '#lib/wire/trials'

/** Expected failures are thrown as AppError. */
export interface AgentMocks {
  list(agentId: string): MockList
  /** Without the server's known secrets, which no mock may hold. */
  save(agentId: string, tool: string, kept: KeptMock): KeptMock
  remove(agentId: string, tool: string): void
}

/** The most mocks of one agent. */
const mostMocks = 500
const longestName = 256

export function createAgentMocks({
  stores,
  clock,
  redact,
}: {
  readonly stores: Stores
  readonly clock: { now(): number }
  readonly redact: Redact
}): AgentMocks {
  const { agents, trials, runs } = stores
  const known = (agentId: string) => {
    if (agents.runnable(agentId) === undefined) throw new AppError('not_found', 'There is no such agent.')
  }
  return {
    list: (agentId) => {
      known(agentId)
      return { items: trials.mocks(agentId).map(({ tool, mock, on }) => ({ tool, mock, on })) }
    },
    save: (agentId, tool, { mock: given, on }) => {
      known(agentId)
      if (tool.length > longestName)
        throw new AppError('bad_request', `The name of a tool has at most ${longestName} characters.`)
      const mocks = trials.mocks(agentId)
      if (mocks.length >= mostMocks && mocks.every((each) => each.tool !== tool))
        throw new AppError('unprocessable', `An agent has at most ${mostMocks} mocks. Remove one first.`)
      const { answer } = given
      if (answer.kind === 'recorded' && runs.get(answer.runId) === undefined)
        throw new AppError(
          'unprocessable',
          'There is no such run to answer from; it may have been deleted.',
          {
            path: 'mock/answer/runId',
          },
        )
      const mock = withoutSecrets(given, redact)
      trials.putMock({ agentId, tool, mock, on, updatedAt: clock.now() })
      return { mock, on }
    },
    remove: (agentId, tool) => {
      known(agentId)
      if (!trials.removeMock(agentId, tool)) throw new AppError('not_found', 'This tool has no mock.')
    },
  }
}

function withoutSecrets(given: Mock, redact: Redact): Mock {
  const { answer, failure } = given
  const text = answer.kind === 'fixed' ? redact(answer.text) : undefined
  const read = mockSchema.safeParse({
    ...given,
    ...(text !== undefined && { answer: { ...answer, text } }),
    ...(failure && { failure: redactKeyed({ redact }, failure) }),
  })
  if (read.success) return read.data
  // Only a known secret as part of JSON or of a code can lead here.
  throw new AppError('unprocessable', 'The mock contains a secret of this server. Take it out.', {
    path: 'mock',
  })
}
