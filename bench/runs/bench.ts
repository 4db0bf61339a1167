/** Measures the stores on a database of many runs, which is made by the stores themselves. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openClient, storesOver } from '#db/open'
import { appended, finished, numbered, queued, runRow, started, threadRow } from '#db/rows.fixture'
import { readInsights } from '#lib/server/runs/insights'
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { RunFilter, Stores } from '#lib/spec/store'

interface Size {
  readonly runs: number
  readonly agents: number
  readonly rounds: number
}

const dayMs = 24 * 60 * 60 * 1_000
const now = Date.now()
const words =
  'customer order country revenue month germany france spain returns invoice average growth list'.split(' ')
const wordAt = (n: number) => words[(n * 7_919) % words.length] ?? ''
const sentence = (n: number, length: number) =>
  Array.from({ length }, (_, at) => wordAt(n + at * at)).join(' ')

/** The stores over a new database file with this many runs. */
export function filledStores(file: string, { runs, agents }: Pick<Size, 'runs' | 'agents'>): Stores {
  const client = openClient(file)
  // The seeding would otherwise wait for the disk 100,000 times.
  client.pragma('synchronous = OFF')
  const stores = storesOver(client)
  for (let n = 0; n < runs; n += 1) addRun(stores, n, agents)
  return stores
}

export function bench({ runs, agents, rounds }: Size): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'loopwright-bench-'))
  const begun = performance.now()
  const stores = filledStores(path.join(folder, 'loopwright.db'), { runs, agents })
  try {
    print(`${runs} runs stored and indexed`, performance.now() - begun)
    for (const [name, work] of Object.entries(tasksOf(stores))) print(name, median(work, rounds))
  } finally {
    stores.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A run of about 1,500 characters with two tools; one in ten has failed calls. */
function addRun({ runs }: Stores, n: number, agents: number): void {
  const id = `run_${n}`
  const threadId = `thread_${n}`
  const createdAt = now - ((n * 37) % 90) * dayMs
  const agentId = `agent_${n % agents}`
  const row = runRow({ id, threadId, agentId, createdAt, input: `${sentence(n, 20)} ${n}?` })
  runs.insert(row, queued(threadId), threadRow({ id: threadId, agentId }))
  const failed: EventBody = {
    type: 'call.finished',
    callId: 'call_1',
    name: 'sql.execute',
    node: 'tools/0',
    status: n % 10 === 0 ? 'error' : 'ok',
    code: null,
    result: { blocks: [], text: sentence(n, 30) },
    durationMs: 5,
    attempts: 1,
  }
  const end = {
    ...finished,
    answer: `${sentence(n, 180)}. Number ${n}.`,
    costUsd: (n % 997) / 10_000,
    steps: n % 12,
    toolCalls: [
      { name: 'sql.execute', count: 2 },
      { name: 'math.calculate', count: 1 },
    ],
    startedAt: createdAt,
    finishedAt: createdAt + (n % 9_973),
  }
  const events: RunEvent[] = [started, failed, end].map((body, at) => numbered(at + 2, body))
  runs.append(events.map((event) => appended(id, event)))
}

function tasksOf(stores: Stores): Record<string, () => unknown> {
  const list = (filter: RunFilter) => () => stores.runs.listCounted(filter)
  const insights = (days: number) => () =>
    readInsights(stores, { agentId: 'agent_0', query: { days, offset: 0 }, now })
  return {
    'list, newest first': list({}),
    'list of one agent': list({ agentId: 'agent_0' }),
    'filter: tool and failed calls': list({ tool: 'sql.execute', failed: true }),
    'filter: model, cost and time': list({ model: 'scripted/demo', costFrom: 0.05, since: now - 30 * dayMs }),
    'filter: a status that most runs have': list({ status: 'completed' }),
    'filter: rated, which no run is': list({ feedback: 'any' }),
    'sort: cost': list({ sort: 'cost' }),
    'sort: duration, of one agent': list({ sort: 'duration_asc', agentId: 'agent_0' }),
    'search: a word in most runs': list({ search: 'germany' }),
    'search: a number in one run': list({ search: '"number 4711"' }),
    'search: two words, sorted by cost': list({ search: 'germany revenue', sort: 'cost' }),
    'search: two letters': list({ search: 'fr' }),
    'models and tools to choose from': () => stores.figures.choices(),
    'insights: 7 days': insights(7),
    'insights: 90 days': insights(90),
  }
}

function median(work: () => unknown, rounds: number): number {
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  }).sort((a, b) => a - b)
  return times[Math.floor(times.length / 2)] ?? 0
}

function print(name: string, ms: number): void {
  console.log(`${name.padEnd(40)} ${ms.toFixed(1).padStart(10)} ms`)
}
