/** Builds the state before the first event. */
import type { Artifact } from '#lib/spec/artifact'
import type { Message } from '#lib/spec/message'
import { pictureOf } from '#lib/spec/picture'
import type { RunStart, RunState } from '#lib/spec/state'

export function start(begin: RunStart): RunState {
  return {
    start: begin,
    seq: 0,
    status: 'new',
    lastAt: 0,
    messages: [questionMessage(begin)],
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

/** The question as a message, with the pictures among the attached files. */
export function questionMessage(begin: Pick<RunStart, 'input' | 'files'>): Message {
  const pictures = (begin.files ?? []).flatMap((file) => pictureOf(file) ?? [])
  return { role: 'user', text: questionText(begin), ...(pictures.length > 0 && { pictures }) }
}

/** The question as the model reads it, with the attached files, which the model can open in the workspace. */
function questionText({ input, files = [] }: Pick<RunStart, 'input' | 'files'>): string {
  if (files.length === 0) return input
  return `${input}\n\nFiles given with this question, in the workspace:\n${files.map(line).join('\n')}`
}

function line({ name, path, mediaType, bytes, description }: Artifact): string {
  const said = description === undefined ? '' : `: ${description}`
  return `- ${path ?? name} (${mediaType}, ${bytes} bytes)${said}`
}
