/**
 * Events of a long run as an engine would send them: twenty a step, for as long as the caller asks for more.
 */
import { begin } from '#components/trace/run.fixture'
import type { EventBody, RunEvent } from '#lib/spec/event'

const words = 'First I look at the tables, then I count what each category brought in both quarters. '

function stepOf(step: number): EventBody[] {
  const callId = `call_${step}_1`
  const sql = `SELECT category, SUM(amount) FROM orders WHERE step = ${step} GROUP BY category`
  const args = { sql }
  const json = JSON.stringify(args)
  const cut = Math.ceil(json.length / 4)
  const pieces = [0, 1, 2, 3].map((at) => json.slice(at * cut, (at + 1) * cut))
  return [
    { type: 'step.started', maxSteps: 100_000 },
    {
      type: 'model.requested',
      attempt: 1,
      counts: { messages: 1, tools: 1 },
      tools: [],
      bytes: 100,
      hash: 'h',
    },
    ...Array.from({ length: 8 }, (): EventBody => ({ type: 'text.delta', text: words })),
    ...pieces.map((argsText): EventBody => ({ type: 'call.delta', callId, name: 'sql.execute', argsText })),
    {
      type: 'model.answered',
      parts: [
        { type: 'text', text: words.repeat(8) },
        { type: 'call', id: callId, name: 'sql.execute', rawArgs: json, args },
      ],
      usage: { input: 1_000, output: 200 },
      finishReason: 'calls',
      durationMs: 10,
      firstTokenMs: 2,
    },
    { type: 'call.started', callId, name: 'sql.execute', args, source: 'builtin', node: 'tools/0' },
    { type: 'call.progressed', callId, text: 'reading …\n' },
    { type: 'call.progressed', callId, text: 'half of it\n' },
    {
      type: 'call.finished',
      callId,
      name: 'sql.execute',
      node: 'tools/0',
      status: 'ok',
      code: null,
      result: {
        blocks: [{ type: 'table', columns: ['category', 'sum'], rows: [['Toys', step]] }],
        text: `Toys ${step}`,
      },
      durationMs: 4,
      attempts: 1,
    },
    { type: 'step.finished', usage: { input: 1_000, output: 200 }, durationMs: 20 },
  ]
}

/** One after another, a millisecond apart starting at `from`, or as late as `now` says. */
export function* longRun(from: number, now: () => number): Generator<RunEvent, never> {
  let seq = 1
  const event = (body: EventBody, step: number) =>
    ({ ...body, seq: seq++, at: Math.max(from + seq, now()), step }) as RunEvent // cast: a body with the fields that the loop adds is an event
  yield event(begin, 0)
  for (let step = 1; ; step++) for (const body of stepOf(step)) yield event(body, step)
}
