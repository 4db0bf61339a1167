/**
 * The events of one run as a later engine would send them: a plan, groups, MCP, attachments, a fork, and a
 * call that waits for a person.
 */
import { type EventBody, type RunEvent, runEvent } from '#lib/spec/event'
import type { JsonObject, JsonValue } from '#lib/spec/json'

const began = Date.UTC(2026, 5, 12, 14, 6)

/** Adds numbers and times to events; `after` is the pause before an event in milliseconds. */
function recorder() {
  const events: RunEvent[] = []
  let at = began
  let step = 0
  return {
    events,
    now: () => at,
    tell(after: number, body: EventBody) {
      at += after
      if (body.type === 'step.started') step += 1
      // Validated as the server validates what it stores, so that every event here is one that it could send.
      events.push(
        runEvent.parse({
          ...body,
          seq: events.length + 1,
          at,
          step: body.type.startsWith('run.') ? 0 : step,
        }),
      )
    },
  }
}

type Recorder = ReturnType<typeof recorder>

interface AskedCall {
  readonly id: string
  readonly name: string
  readonly args: JsonObject
}

interface Turn {
  readonly thought: string
  readonly calls: readonly AskedCall[]
  readonly input: number
  readonly output: number
  readonly firstMs: number
  readonly restMs: number
  readonly costUsd: number
}

function ask({ tell }: Recorder, { thought, calls, input, output, firstMs, restMs, costUsd }: Turn) {
  tell(10, { type: 'step.started', maxSteps: 10 })
  tell(5, {
    type: 'model.requested',
    attempt: 1,
    counts: { messages: 4, tools: 4 },
    tools: offered.map(({ name }) => ({ name, wireName: name.replace('.', '_'), hash: 'h' })),
    bytes: 4_096,
    hash: 'recorded',
  })
  tell(firstMs, { type: 'text.delta', text: thought.slice(0, 12) })
  tell(restMs / 2, { type: 'text.delta', text: thought.slice(12) })
  for (const { id, name, args } of calls)
    tell(20, { type: 'call.delta', callId: id, name, argsText: JSON.stringify(args) })
  tell(restMs / 2, {
    type: 'model.answered',
    parts: [
      { type: 'text', text: thought },
      ...calls.map(({ id, name, args }) => ({
        type: 'call' as const,
        id,
        wireId: id,
        name,
        rawArgs: JSON.stringify(args),
        args,
      })),
    ],
    usage: { input, output },
    finishReason: calls.length > 0 ? 'calls' : 'stop',
    durationMs: firstMs + restMs,
    firstTokenMs: firstMs,
    costUsd,
  })
}

function begin({ tell }: Recorder, { id, name, args }: AskedCall, node: string) {
  tell(5, { type: 'call.started', callId: id, name, args, source: 'builtin', node })
}

function answer(
  { tell }: Recorder,
  { id, name }: AskedCall,
  { node, ms, columns, rows }: { node: string; ms: number; columns: string[]; rows: JsonValue[][] },
) {
  const text = [columns.join(' | '), ...rows.map((row) => row.join(' | '))].join('\n')
  tell(ms, {
    type: 'call.finished',
    callId: id,
    name,
    node,
    status: 'ok',
    code: null,
    result: { blocks: [{ type: 'table', columns, rows }], text },
    durationMs: ms,
    attempts: 1,
  })
}

function finishStep({ tell }: Recorder, usage: { input: number; output: number }, durationMs: number) {
  tell(5, { type: 'step.finished', usage, durationMs })
}

const offered = [
  { name: 'schema.list_tables', node: 'tools/0' },
  { name: 'schema.list_columns', node: 'tools/1' },
  { name: 'sql.execute', node: 'tools/2' },
  { name: 'files.create', node: 'tools/3' },
]

function withheld(name: string) {
  return { name, entry: 'tools/4', policy: 'groups', node: 'groups/0', reason: 'group extras is inactive' }
}

const question =
  'Which categories lost revenue in Q3 against Q2, and which stores drive it? Save the table as CSV.'

const tables: AskedCall = { id: 'c1', name: 'schema.list_tables', args: {} }
const columnsOf: AskedCall = {
  id: 'c2',
  name: 'schema.list_columns',
  args: { tables: ['orders', 'order_items', 'products', 'stores'] },
}
const categories: AskedCall = {
  id: 'c3',
  name: 'sql.execute',
  args: {
    query:
      "SELECT p.category,\n  SUM(CASE WHEN o.placed_on < '2026-07-01' THEN i.quantity * i.unit_price END) AS q2,\n  SUM(CASE WHEN o.placed_on >= '2026-07-01' THEN i.quantity * i.unit_price END) AS q3\nFROM order_items i\nJOIN orders o ON o.id = i.order_id\nJOIN products p ON p.id = i.product_id\nGROUP BY p.category",
  },
}
const stores: AskedCall = {
  id: 'c4',
  name: 'sql.execute',
  args: { query: 'SELECT s.name, s.region, SUM(i.quantity * i.unit_price) AS revenue FROM order_items i' },
}
export const waitingCall: AskedCall = {
  id: 'c5',
  name: 'files.create',
  args: {
    path: 'reports/q3-category-decline.csv',
    content: 'category,q2,q3,change\nApparel,412870,336902,-18.4\nToys,158240,140517,-11.2\n',
  },
}

/** Up to the moment when one call runs and one waits for a person. */
export function recordedRun(): RunEvent[] {
  const run = recorder()
  const { tell } = run
  const start = {
    agent: { id: 'retail', name: 'retail-analyst', version: 4, configHash: 'recorded' } as const,
    input: question,
    threadId: 'thread-12',
    files: [{ id: 'a1', name: 'targets.csv', path: 'targets.csv', mediaType: 'text/csv', bytes: 1_284 }],
  }
  tell(0, { type: 'run.queued', ...start })
  tell(4, {
    type: 'run.started',
    ...start,
    historyThrough: null,
    forkedFrom: { runId: '7QX4', step: 2 },
    model: { provider: 'openai', name: 'gpt-5-mini' },
    protocol: { format: 'native', resultPlacement: 'tool_message' },
    tools: { offered, withheld: [withheld('everything.echo'), withheld('everything.get-sum')] },
  })
  ask(run, {
    thought: 'First the tables.',
    calls: [tables],
    input: 1_190,
    output: 14,
    firstMs: 700,
    restMs: 1_100,
    costUsd: 0.0004,
  })
  begin(run, tables, 'tools/0')
  answer(run, tables, {
    node: 'tools/0',
    ms: 41,
    columns: ['table'],
    rows: [['orders'], ['order_items'], ['products'], ['stores']],
  })
  finishStep(run, { input: 1_190, output: 14 }, 1_880)

  ask(run, {
    thought: 'Now their columns.',
    calls: [columnsOf],
    input: 1_470,
    output: 28,
    firstMs: 800,
    restMs: 1_360,
    costUsd: 0.0005,
  })
  begin(run, columnsOf, 'tools/1')
  answer(run, columnsOf, {
    node: 'tools/1',
    ms: 58,
    columns: ['table', 'column'],
    rows: [
      ['orders', 'id'],
      ['orders', 'placed_on'],
      ['stores', 'region'],
    ],
  })
  tell(2, {
    type: 'plan.updated',
    plan: {
      title: 'Q3 decline by category',
      steps: [
        { text: 'Read the schema', status: 'completed' },
        { text: 'Revenue per category, Q2 and Q3', status: 'in_progress' },
        { text: 'Stores behind the fall', status: 'not_started' },
        { text: 'Save the table as CSV', status: 'not_started', note: 'asks a person first' },
      ],
    },
  })
  finishStep(run, { input: 1_470, output: 28 }, 2_230)

  ask(run, {
    thought: 'Revenue per category for both quarters, in one query, largest fall first.',
    calls: [categories],
    input: 2_318,
    output: 241,
    firstMs: 920,
    restMs: 3_360,
    costUsd: 0.0011,
  })
  begin(run, categories, 'tools/2')
  answer(run, categories, {
    node: 'tools/2',
    ms: 212,
    columns: ['category', 'q2', 'q3', 'change'],
    rows: [
      ['Apparel', 412_870, 336_902, '-18.4 %'],
      ['Toys', 158_240, 140_517, '-11.2 %'],
      ['Garden', 203_615, 183_864, '-9.7 %'],
      ['Footwear', 187_330, 181_148, '-3.3 %'],
      ['Kitchen', 96_412, 97_858, '+1.5 %'],
    ],
  })
  finishStep(run, { input: 2_318, output: 241 }, 4_510)

  ask(run, {
    thought: 'Four categories fell. Find the stores behind the fall, and save the table.',
    calls: [stores, waitingCall],
    input: 3_030,
    output: 286,
    firstMs: 980,
    restMs: 3_100,
    costUsd: 0.0016,
  })
  tell(2, {
    type: 'policy.ruled',
    callId: waitingCall.id,
    policy: 'approval',
    node: 'policies/0',
    tool: waitingCall.name,
    verdict: 'confirm',
    reason: 'a person decides on files.create, because it writes',
  })
  tell(1, {
    type: 'approval.requested',
    callId: waitingCall.id,
    tool: waitingCall.name,
    args: waitingCall.args,
    expiresAt: run.now() + 900_000,
  })
  begin(run, stores, 'tools/2')
  return run.events
}

/** The same run after the person has rejected the call, up to its end. */
export function decidedRun(): RunEvent[] {
  const events = recordedRun()
  const last = events.at(-1)
  if (last === undefined) return events
  let { seq, at } = last
  const tell = (after: number, body: EventBody) => {
    at += after
    seq += 1
    events.push(runEvent.parse({ ...body, seq, at, step: body.type.startsWith('run.') ? 0 : 4 }))
  }
  tell(2_590, {
    type: 'call.finished',
    callId: stores.id,
    name: stores.name,
    node: 'tools/2',
    status: 'ok',
    code: null,
    result: {
      blocks: [{ type: 'table', columns: ['name', 'revenue'], rows: [['Harbour', 61_220]] }],
      text: 'Harbour | 61220',
    },
    durationMs: 2_590,
    attempts: 1,
  })
  tell(900, {
    type: 'approval.decided',
    callId: waitingCall.id,
    decision: 'reject',
    scope: 'call',
    by: 'person',
    reason: 'The finance share is the place for it.',
  })
  tell(1, {
    type: 'call.finished',
    callId: waitingCall.id,
    name: waitingCall.name,
    node: 'tools/3',
    status: 'denied',
    code: 'rejected',
    result: {
      blocks: [{ type: 'text', text: 'A person said no: The finance share is the place for it.' }],
      text: 'A person said no.',
    },
    durationMs: 0,
    attempts: 0,
  })
  tell(4, { type: 'step.finished', usage: { input: 3_030, output: 286 }, durationMs: 7_580 })
  tell(3, {
    type: 'run.finished',
    status: 'completed',
    answer: 'Four categories fell, two stores carry 61 % of it.',
    usage: { input: 8_008, output: 569 },
    costUsd: 0.0036,
    steps: 4,
    toolCalls: [{ name: 'sql.execute', count: 2 }],
    startedAt: began + 4,
    finishedAt: at,
    error: null,
  })
  return events
}

/** The same events shifted in time, so that the last one happened at `at`. */
export function endingAt(events: readonly RunEvent[], at: number): RunEvent[] {
  const by = at - (events.at(-1)?.at ?? at)
  return events.map((each): RunEvent => {
    const at = each.at + by
    switch (each.type) {
      case 'approval.requested':
        return { ...each, at, expiresAt: each.expiresAt === null ? null : each.expiresAt + by }
      case 'run.finished':
        return { ...each, at, startedAt: each.startedAt + by, finishedAt: each.finishedAt + by }
      default:
        // Other recorded events have no time besides their own.
        return { ...each, at }
    }
  })
}
