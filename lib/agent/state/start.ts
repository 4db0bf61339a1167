/** Builds the state before the first event. */
import type { Artifact } from '#lib/spec/artifact'
import type { RunStart, RunState } from '#lib/spec/state'

export function start(begin: RunStart): RunState {
  return {
    start: begin,
    seq: 0,
    status: 'new',
    lastAt: 0,
    messages: [{ role: 'user', text: questionText(begin) }],
    steps: [],
    toolChanges: [],
    calls: new Map(),
    toolCounts: new Map(),
    failures: new Map(),
    overBudget: null,
    granted: new Set(),
    waitedMs: 0,
    waiting: 0,
    waitingSince: null,
    artifacts: [],
    usage: { input: 0, output: 0 },
    summarizing: null,
    crashes: 0,
    resumes: 0,
    answer: null,
    costUsd: null,
    error: null,
  }
}

/** The question as the model reads it, with the attached files, which the model can open in the workspace. */
export function questionText({ input, files = [] }: Pick<RunStart, 'input' | 'files'>): string {
  if (files.length === 0) return input
  return `${input}\n\nFiles given with this question, in the workspace:\n${files.map(line).join('\n')}`
}

function line({ name, path, mediaType, bytes }: Artifact): string {
  return `- ${path ?? name} (${mediaType}, ${bytes} bytes)`
}
