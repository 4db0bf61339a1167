import { expect, it } from 'vitest'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { awaitedRetry, type Phase, phaseOf, waitingCallsOf } from './reading'
import { start } from './start'

const agent = { id: 'agent_1', name: 'counter', version: 'draft' as const, configHash: 'h' }

function run(more: Partial<RunState>): RunState {
  const state = start({ agent, input: 'Count.', threadId: null, historyThrough: null, history: [] })
  return Object.assign(state, { status: 'running', queuedAt: 1_000, startedAt: 2_000 }, more)
}

function step(more: Partial<StepState> = {}): StepState {
  return {
    number: 1,
    maxSteps: 10,
    startedAt: 3_000,
    summary: false,
    messagesBefore: 1,
    retries: [],
    nudged: false,
    live: { text: '', reasoning: '', firstAt: null },
    sealed: [],
    usage: { input: 0, output: 0 },
    costUsd: null,
    calls: [],
    open: 0,
    toolCounts: new Map(),
    ...more,
  }
}

function call(id: string, status: CallState['status']): CallState {
  const isOver = status === 'ok' || status === 'error'
  return {
    id,
    name: 'math.calculate',
    argsText: '',
    rawArgs: '{}',
    status,
    node: 'tools/0',
    durationMs: 0,
    attempts: 1,
    code: null,
    progress: { text: '', blocks: null },
    created: [],
    rulings: [],
    ...(isOver && { result: { blocks: [], text: '' } }),
  }
}

const requestAt = (at: number): Pick<StepState, 'request'> => ({
  request: { attempt: 1, at, counts: { messages: 1, tools: 1 }, tools: [], bytes: 1, hash: 'h' },
})
const failedAt = (at: number) => ({ attempt: 1, code: 'http', reason: 'No.', waitMs: 500, at })

/** A phase without the step, and calls by their ids. */
function plain(phase: Phase): object {
  const ids = (calls: readonly CallState[]) => calls.map(({ id }) => id)
  return {
    at: phase.at,
    ...('since' in phase && { since: phase.since }),
    ...('status' in phase && { status: phase.status }),
    ...('waiting' in phase && { waiting: ids(phase.waiting) }),
    ...('open' in phase && { open: ids(phase.open) }),
    ...('until' in phase && { until: phase.until }),
  }
}

const saying = { text: 'It is', reasoning: '', firstAt: 4_000 }

it.each<[what: string, state: RunState, phase: object]>([
  ['of which nothing is known is new', run({ status: 'new' }), { at: 'new' }],
  ['in the line is queued', run({ status: 'queued' }), { at: 'queued', since: 1_000 }],
  ['before its first step is starting', run({}), { at: 'starting', since: 1_000 }],
  ['that has asked the model is thinking', run({ steps: [step(requestAt(3_000))] }), { at: 'thinking' }],
  ['whose answer comes is answering', run({ steps: [step({ live: saying })] }), { at: 'answering' }],
  [
    'whose step has all its results is thinking',
    run({ steps: [step({ calls: [call('c1', 'ok')], answeredAt: 4_000 })] }),
    { at: 'thinking' },
  ],
  [
    'with open calls is calling',
    run({ steps: [step({ calls: [call('c1', 'ok'), call('c2', 'streaming'), call('c3', 'running')] })] }),
    { at: 'calling', open: ['c2', 'c3'] },
  ],
  [
    'with a call for a person to decide on is waiting, whatever else runs',
    run({ status: 'waiting', steps: [step({ calls: [call('c1', 'waiting'), call('c2', 'running')] })] }),
    { at: 'waiting', waiting: ['c1'], open: ['c2'] },
  ],
  [
    'whose request failed is retrying, until the next one',
    run({ steps: [step({ ...requestAt(3_000), retries: [failedAt(3_200)] })] }),
    { at: 'retrying', until: 3_700 },
  ],
  [
    'that has asked again is thinking',
    run({ steps: [step({ ...requestAt(3_700), retries: [failedAt(3_200)] })] }),
    { at: 'thinking' },
  ],
  [
    'that is over has ended, and how',
    run({ status: 'budget', finishedAt: 9_000, steps: [step()] }),
    {
      at: 'ended',
      status: 'budget',
    },
  ],
])('a run %s', (_, state, phase) => {
  expect(plain(phaseOf(state))).toEqual(phase)
})

it('a provider that is left alone before the first request is waited for as well', () => {
  expect(awaitedRetry(step({ retries: [failedAt(3_200)] }))).toEqual(failedAt(3_200))
})

it('nothing is waited for once the answer is there', () => {
  expect(
    awaitedRetry(step({ ...requestAt(3_000), retries: [failedAt(3_200)], answeredAt: 4_000 })),
  ).toBeUndefined()
})

it('calls wait for a person only while the run goes on', () => {
  const steps = [step({ calls: [call('c1', 'waiting')] })]
  expect(waitingCallsOf(run({ steps })).map(({ id }) => id)).toEqual(['c1'])
  expect(waitingCallsOf(run({ steps, status: 'cancelled', finishedAt: 9_000 }))).toEqual([])
})
