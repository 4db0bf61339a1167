/** The mocks of a run: which ones it begins with, and the recorded calls from which they answer. */
import { type MockSet, mockedTools, type RecordedCall } from '#lib/spec/mock'
import type { NewRunRow, Stores } from '#lib/spec/store'

type Mocked = Pick<NewRunRow, 'mocks' | 'mocked'>

/** What a run of the draft begins with. Runs of published versions have no mocks. */
export function draftMocks({ trials }: Pick<Stores, 'trials'>, agentId: string): Mocked {
  return withMocks(
    Object.fromEntries(
      trials.mocks(agentId).flatMap(({ tool, mock, on }) => (on ? [[tool, mock] as const] : [])),
    ),
  )
}

/** The mocks of another run, for its fork. */
export function mocksOfRun({ runs }: Pick<Stores, 'runs'>, runId: string): Mocked {
  return withMocks(runs.mocksOf(runId) ?? {})
}

function withMocks(mocks: MockSet): Mocked {
  return Object.keys(mocks).length === 0 ? {} : { mocks, mocked: mockedTools(mocks) }
}

/** The finished calls of a run, in the order in which they began; undefined when there is no such run. */
export function recordedCalls({ runs }: Pick<Stores, 'runs'>, runId: string): RecordedCall[] | undefined {
  if (runs.get(runId) === undefined) return undefined
  const begun = new Map<string, Pick<RecordedCall, 'name' | 'args'>>()
  const ended = new Map<string, RecordedCall['result']>()
  for (const event of runs.settledEvents(runId)) {
    // Calls of a run inside a call are not calls of this run.
    if (event.parent !== undefined) continue
    if (event.type === 'call.started') begun.set(event.callId, event)
    if (event.type !== 'call.finished') continue
    const { status, result, code } = event
    if (status === 'ok') ended.set(event.callId, { ok: true, blocks: result.blocks })
    else if (status === 'error' || status === 'timeout')
      ended.set(event.callId, { ok: false, code: code ?? status, message: result.text })
  }
  return [...begun].flatMap(([id, { name, args }]) => {
    const result = ended.get(id)
    return result === undefined ? [] : [{ name, args, result }]
  })
}
