/** Answers calls of mocked tools in place of their bodies. Policies, approvals, limits and retries stay as they are. */
import type { JsonObject } from '#lib/spec/json'
import {
  kindOfMock,
  type Mock,
  type MockDeps,
  type MockKind,
  type MockSet,
  type RecordedCall,
  type RecordedCalls,
} from '#lib/spec/mock'
import type { CallState, RunState } from '#lib/spec/state'
import type { ToolOutput } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Clock } from '../deps'
import { callKey } from '../state/past'

export interface Mocks {
  /** Undefined for a tool without a mock. */
  kindOf(tool: BoundTool): MockKind | undefined
  /** The body that runs instead of the tool's own; undefined for a tool without a mock. */
  bodyOf(tool: BoundTool, call: CallState, signal: () => AbortSignal): (() => Promise<ToolOutput>) | undefined
}

/** Tools that belong to no entry, such as the one that ends a run, are part of the loop and have no mocks. */
export function mockOf(set: MockSet, { name, node }: Pick<BoundTool, 'name' | 'node'>): Mock | undefined {
  return node.startsWith('tools/') && Object.hasOwn(set, name) ? set[name] : undefined
}

export function createMocks(state: RunState, { set, recorded }: MockDeps, clock: Clock): Mocks {
  let tries: Map<string, number> | undefined
  const nextTry = ({ name }: BoundTool) => {
    tries ??= triesBefore(state)
    const next = (tries.get(name) ?? 0) + 1
    tries.set(name, next)
    return next
  }
  const record = createRecord(state, recorded)
  return {
    kindOf: (tool) => {
      const mock = mockOf(set, tool)
      return mock && kindOfMock(mock)
    },
    bodyOf: (tool, call, signal) => {
      const mock = mockOf(set, tool)
      if (mock === undefined) return undefined
      return async () => {
        const { delayMs = 0, failure } = mock
        const turn = nextTry(tool)
        if (delayMs > 0) await clock.sleep(delayMs, signal())
        if (failure !== undefined && turn <= (failure.times ?? Number.POSITIVE_INFINITY)) {
          const { code, message, mayPass } = failure
          return { ok: false, code, message, ...(mayPass && { retryable: true }) }
        }
        return answerOf(mock, call, record)
      }
    },
  }
}

function answerOf({ answer }: Mock, call: CallState, record: Recording): ToolOutput {
  switch (answer.kind) {
    case 'fixed':
      return {
        ok: true,
        blocks: [
          answer.format === 'json'
            ? { type: 'json', value: JSON.parse(answer.text) }
            : { type: 'text', text: answer.text },
        ],
      }
    case 'echo':
      return { ok: true, blocks: [{ type: 'json', value: call.args ?? {} }] }
    case 'recorded':
      return record(answer.runId, call)
  }
  return answer satisfies never
}

/** How often each mocked tool was tried in the calls that have ended, so that a resumed run goes on counting. */
function triesBefore(state: RunState): Map<string, number> {
  const tries = new Map<string, number>()
  for (const { name, mock, result, attempts, copied } of state.calls.values())
    if (mock !== undefined && result !== undefined && !copied)
      tries.set(name, (tries.get(name) ?? 0) + attempts)
  return tries
}

type Recording = (runId: string, call: CallState) => ToolOutput

/**
 * Answers from other runs: the first call with certain arguments gets the result of the first equal call there,
 * the second that of the second, and the last one answers all further calls.
 */
function createRecord(state: RunState, recorded: RecordedCalls): Recording {
  const runs = new Map<string, ReadonlyMap<string, readonly RecordedCall[]> | undefined>()
  const callsIn = (runId: string) => {
    if (!runs.has(runId)) runs.set(runId, byKey(recorded(runId)))
    return runs.get(runId)
  }
  let turns: Map<string, Map<string, number>> | undefined
  const turnOf = (call: CallState) => {
    turns ??= turnsBefore(state)
    return turnIn(turns, call)
  }
  return (runId, call) => {
    const calls = callsIn(runId)
    if (calls === undefined) return gone(runId)
    const equal = calls.get(keyOf(call))
    if (equal === undefined) return noMatch(runId, call.name, calls)
    const found = equal[Math.min(turnOf(call), equal.length - 1)]
    if (found === undefined) return noMatch(runId, call.name, calls)
    const { result } = found
    return result.ok ? { ok: true, blocks: [...result.blocks] } : { ...result }
  }
}

const keyOf = ({ name, args = {} }: { readonly name: string; readonly args?: JsonObject }) =>
  callKey({ name, args, rawArgs: '' })

function byKey(
  calls: readonly RecordedCall[] | undefined,
): ReadonlyMap<string, readonly RecordedCall[]> | undefined {
  if (calls === undefined) return undefined
  const grouped = new Map<string, RecordedCall[]>()
  for (const call of calls) {
    const key = keyOf(call)
    const equal = grouped.get(key)
    if (equal === undefined) grouped.set(key, [call])
    else equal.push(call)
  }
  return grouped
}

/** The turns of equal calls that had begun before this process, in the order in which they began. */
function turnsBefore(state: RunState): Map<string, Map<string, number>> {
  const turns = new Map<string, Map<string, number>>()
  for (const call of state.calls.values())
    if (call.mock !== undefined && call.startedAt !== undefined && !call.copied) turnIn(turns, call)
  return turns
}

/** Which of the equal calls of the run this one is, counted from 0; the same for each try. */
function turnIn(turns: Map<string, Map<string, number>>, call: CallState): number {
  const key = keyOf(call)
  const equal = turns.get(key) ?? new Map<string, number>()
  turns.set(key, equal)
  const turn = equal.get(call.id) ?? equal.size
  equal.set(call.id, turn)
  return turn
}

function gone(runId: string): ToolOutput {
  const message = `This tool is mocked with results of the run ${runId}, which does not exist any more. Choose another run, or switch the mock off.`
  return { ok: false, code: 'mock_run_gone', message }
}

function noMatch(
  runId: string,
  name: string,
  calls: ReadonlyMap<string, readonly RecordedCall[]>,
): ToolOutput {
  let count = 0
  for (const equal of calls.values()) if (equal[0]?.name === name) count += equal.length
  const has =
    count === 0 ? `has no finished call of ${name}` : `has ${count} of ${name}, but none with these arguments`
  return {
    ok: false,
    code: 'mock_no_match',
    message: `This tool is mocked with results of the run ${runId}, which ${has}.`,
  }
}
