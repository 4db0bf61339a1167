/** A mock as a person writes it in a form: every field keeps its value while another choice hides it. */
import { type Mock, type MockAnswer, mock } from '#lib/spec/mock'

export interface MockDraft {
  readonly kind: MockAnswer['kind']
  readonly text: string
  readonly format: 'text' | 'json'
  readonly runId: string
  readonly delayMs: number | undefined
  readonly fails: 'never' | 'first' | 'always'
  readonly times: number | undefined
  readonly code: string
  readonly message: string
  readonly mayPass: boolean
}

/** What is wrong, by field. */
export interface Refusals {
  readonly text?: string
  readonly runId?: string
  readonly delayMs?: string
  readonly times?: string
  readonly code?: string
  readonly message?: string
}

export function draftOf(kept: Mock | undefined): MockDraft {
  const { answer, delayMs, failure } = kept ?? {}
  return {
    kind: answer?.kind ?? 'fixed',
    text: answer?.kind === 'fixed' ? answer.text : '',
    format: answer?.kind === 'fixed' ? answer.format : 'text',
    runId: answer?.kind === 'recorded' ? answer.runId : '',
    delayMs: delayMs === 0 ? undefined : delayMs,
    fails: failure === undefined ? 'never' : failure.times === undefined ? 'always' : 'first',
    times: failure?.times ?? 1,
    code: failure?.code ?? 'busy',
    message: failure?.message ?? 'The service is busy. Try again later.',
    mayPass: failure?.mayPass ?? true,
  }
}

export type ReadMock =
  | { readonly ok: true; readonly mock: Mock }
  | { readonly ok: false; readonly refusals: Refusals }

export function mockIn(draft: MockDraft): ReadMock {
  const { delayMs, fails, times, code, message, mayPass } = draft
  const read = mock.safeParse({
    answer: answerIn(draft),
    ...(delayMs !== undefined && delayMs !== 0 && { delayMs }),
    ...(fails !== 'never' && {
      failure: { code, message, ...(fails === 'first' && { times: times ?? Number.NaN }), mayPass },
    }),
  })
  if (read.success) return { ok: true, mock: read.data }
  const refusals: Record<string, string> = {}
  for (const { path } of read.error.issues) {
    const key = String(path.at(-1))
    refusals[key] ??= refusalWords[key] ?? 'This does not fit.'
  }
  return { ok: false, refusals }
}

function answerIn({ kind, text, format, runId, fails }: MockDraft): object {
  // A mock that always fails never answers, so what was written of an answer need not fit.
  if (fails === 'always' && (kind === 'recorded' || format === 'json')) return { kind: 'echo' }
  switch (kind) {
    case 'fixed':
      return { kind, text, format }
    case 'echo':
      return { kind }
    case 'recorded':
      return { kind, runId }
  }
  return kind satisfies never
}

const refusalWords: Readonly<Record<string, string>> = {
  text: 'This is not JSON, or longer than 262,144 characters.',
  runId: 'Choose a run, or enter its id.',
  delayMs: 'Whole milliseconds, at most 600,000.',
  times: 'A whole number from 1 to 1,000.',
  code: 'Lowercase letters, digits and underscores, at most 64.',
  message: 'Up to 4,096 characters, and not empty.',
}
