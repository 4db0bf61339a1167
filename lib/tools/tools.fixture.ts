/** Contexts for tool tests: a fixed clock, and SQL ports that answer from a table or never. */
import { closedPorts } from '#lib/spec/ports.fixture'
import type { SqlAnswer, SqlFailure, SqlPort, SqlRequest } from '#lib/spec/sql'
import type { ToolContext } from '#lib/spec/tool'

const rows: SqlAnswer = { ok: true, value: { columns: ['n'], rows: [[1]], truncated: false } }

/** What a port answers to checks and writes where a test is not about them. */
const otherAnswers: Pick<SqlPort, 'dialectOf' | 'check' | 'write'> = {
  dialectOf: () => 'sqlite',
  check: async () => ({ ok: true, columns: [] }),
  write: async () => ({ ok: true, changed: 0, value: { columns: [], rows: [], truncated: false } }),
}

export const emptySql: SqlPort = { ...otherAnswers, databases: () => ['shop'], query: async () => rows }

/** Answers only when it is aborted. */
export const stalledSql: SqlPort = {
  databases: () => ['shop'],
  dialectOf: () => 'sqlite',
  query: (_, signal) => stalled(signal),
  check: (_, signal) => stalled(signal),
  write: (_, signal) => stalled(signal),
}

function stalled(signal: AbortSignal): Promise<SqlFailure> {
  return new Promise((resolve) => {
    const end = () => resolve({ ok: false, code: 'aborted', message: 'The query was stopped.' })
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Answers with the result of `answer` and records the requests. */
export function recordedSql(
  names: readonly string[],
  answer: (request: SqlRequest) => SqlAnswer,
): SqlPort & { readonly asked: SqlRequest[] } {
  const asked: SqlRequest[] = []
  return {
    ...otherAnswers,
    asked,
    databases: () => names,
    async query(request) {
      asked.push(request)
      return answer(request)
    },
  }
}

export function context(sql: SqlPort = emptySql): ToolContext {
  return {
    callId: 'call_1_1',
    run: { id: null, agent: { id: null, name: 'tester' }, thread: null, step: 0 },
    signal: new AbortController().signal,
    now: () => Date.UTC(2025, 2, 9, 10, 30, 0),
    progress() {},
    created() {},
    inLine: (_, wait) => wait(() => undefined),
    ports: { ...closedPorts, sql },
  }
}
