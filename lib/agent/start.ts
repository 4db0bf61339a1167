/** The state before the first event. */
import type { RunStart, RunState } from '#lib/spec/state'

export function start(begin: RunStart): RunState {
  return {
    start: begin,
    seq: 0,
    status: 'new',
    lastAt: 0,
    messages: [{ role: 'user', text: begin.input }],
    steps: [],
    calls: new Map(),
    toolCounts: new Map(),
    usage: { input: 0, output: 0 },
    summarizing: null,
    crashes: 0,
    resumes: 0,
    answer: null,
    costUsd: null,
    error: null,
  }
}
