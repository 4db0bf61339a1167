import { describe, expect, it } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import { observationLine } from './call-rows'
import type { Row } from './row'
import { rowsOf } from './rows'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepFinished,
  stepStarted,
} from './run.fixture'

const none: ReadonlySet<string> = new Set()
const list: Asked = { id: 'call_1_1', name: 'schema.list_tables' }
const sql: Asked = { id: 'call_1_2', name: 'sql.execute', args: { sql: 'SELECT 1', database: 'retail' } }

const outline = (rows: readonly Row[]) =>
  rows.map((each) => `${'  '.repeat(each.depth)}${each.kind}: ${each.title}`)

function wholeRun() {
  const run = record(begin, stepStarted, requested)
  run.tell(answered({ reasoning: 'First the tables.', calls: [list, sql] }))
  run.tell(callStarted(list, 'tools/0'), callFinished(list, 'tools/0', { text: 'orders\nproducts' }))
  run.tell(
    {
      type: 'policy.ruled',
      policy: 'skills',
      node: 'policies/0',
      tool: sql.name,
      callId: sql.id,
      verdict: 'deny',
      reason: 'sql is denied',
    },
    callFinished(sql, 'tools/1', { status: 'denied', text: 'Denied: sql is denied' }),
    stepFinished,
  )
  return run
}

it('a result whose first line is only a tag is told by the line after it', () => {
  expect(observationLine({ blocks: [], text: '<found>\nA voucher.\n</found>' })).toBe('A voucher. …')
  expect(observationLine({ blocks: [], text: '<found>' })).toBe('<found>')
  expect(observationLine({ blocks: [], text: '<b>bold</b>\nmore' })).toBe('<b>bold</b> …')
})

describe('rowsOf', () => {
  it('reads a run in the order it happened: tools, thought, rulings, calls, observations, answer', () => {
    const run = wholeRun()
    run.tell(
      stepStarted,
      requested,
      answered({ text: 'Norway.' }),
      stepFinished,
      runFinished('completed', 'Norway.'),
    )
    expect(outline(rowsOf(run.state, none))).toEqual([
      'tools: Tools',
      '  ruling: shell.run',
      'step: Step 1',
      '  thought: First the tables.',
      '  call: schema.list_tables',
      '    observation: orders …',
      '  ruling: skills',
      '  call: sql.execute',
      '    observation: Denied: sql is denied',
      'step: Step 2',
      '  answer: Norway.',
    ])
  })

  it('shows the note to the model below the result of its tool (S0-04)', () => {
    const run = record(
      begin,
      stepStarted,
      requested,
      answered({ calls: [list] }),
      callStarted(list, 'tools/0'),
    )
    const ended = callFinished(list, 'tools/0', { text: 'orders' })
    if (ended.type === 'call.finished') run.tell({ ...ended, note: 'only 1 of 9 pages' }, stepFinished)
    const rows = rowsOf(run.state, none)
    const at = rows.findIndex(({ title }) => title === 'Note to the model')
    expect(rows[at]).toMatchObject({ detail: 'only 1 of 9 pages', depth: 2, isNote: true, tool: list.name })
    expect(rows[at - 1]).toMatchObject({ kind: 'observation' })
  })

  it('tells of each hook where it was asked, and what it said (S4-26)', () => {
    const hook = { type: 'hook.called', node: 'policies/0', durationMs: 12 } as const
    const run = record(begin)
    run.tell({ ...hook, on: 'pre_reply', decision: 'continue', note: 'be kind' }, stepStarted)
    run.tell({ ...hook, on: 'pre_reasoning', decision: 'continue' }, requested, answered({ calls: [list] }))
    run.tell({ ...hook, on: 'post_reasoning', decision: 'continue', error: 'It was late.' })
    const of = { callId: list.id }
    run.tell({ ...hook, ...of, on: 'pre_acting', decision: 'continue', changed: { args: { a: 1 } } })
    run.tell(callStarted(list, 'tools/0'))
    run.tell({ ...hook, ...of, on: 'post_acting', decision: 'deny', reason: 'no names' })
    const denial = { policy: 'hook', node: 'policies/0', tool: list.name, verdict: 'deny' } as const
    run.tell({ type: 'policy.ruled', ...of, ...denial, reason: 'no names' })
    const withheld = { status: 'error', code: 'withheld', text: 'withheld' } as const
    run.tell(callFinished(list, 'tools/0', withheld), stepFinished)
    run.tell({ ...hook, on: 'post_reply', decision: 'continue', changed: { text: 'Bye.' } })
    const hooks = rowsOf(run.state, none).filter(({ title }) => title.startsWith('Hook'))
    expect(hooks.map(({ title, detail, tone, ms }) => [title, detail, tone, ms])).toEqual([
      ['Hook before the reply', 'note to the model: be kind', 'plain', 12],
      ['Hook before the thought', 'no change', 'muted', 12],
      ['Hook after the thought', 'failed, and the run went on: It was late.', 'error', 12],
      ['Hook before the call', 'changed the arguments: a: 1', 'plain', 12],
      ['Hook after the call', 'denied: no names', 'denied', 12],
      ['Hook on the reply', 'says instead: Bye.', 'plain', 12],
    ])
    const call = rowsOf(run.state, none).find(({ kind }) => kind === 'call')
    expect(call).toMatchObject({ tone: 'error', tail: 'ran, result withheld' })
    expect(outline(rowsOf(run.state, none)).slice(6, 12)).toEqual([
      '  notice: Hook after the thought',
      '  notice: Hook before the call',
      '  call: schema.list_tables',
      '  notice: Hook after the call',
      '  ruling: hook',
      '    observation: withheld',
    ])
  })

  it('tells what was offered and withheld in the first row', () => {
    const [tools, withheld] = rowsOf(record(begin).state, none)
    expect(tools?.detail).toBe('2 offered, 1 withheld: schema.list_tables, sql.execute')
    expect(tools?.open).toBe(true)
    expect(withheld).toMatchObject({ tone: 'denied', detail: 'withheld: denied by skills' })
    expect(rowsOf(record(begin).state, new Set(['tools']))).toHaveLength(1)
  })

  it('names no tools where none were offered', () => {
    const tools = { offered: [], withheld: [] }
    const noTools: EventBody = begin.type === 'run.started' ? { ...begin, tools } : begin
    expect(rowsOf(record(noTools).state, none)[0]?.detail).toBe('0 offered')
  })

  it('hides what is folded, and says in its place what the step called', () => {
    const [, step] = rowsOf(wholeRun().state, new Set(['step-1', 'tools']))
    expect(step).toMatchObject({
      open: false,
      detail: 'schema.list_tables and 1 more call',
      tail: 'orders …',
      tokens: 1_204,
      ms: 3_000,
    })
  })

  it('shows arguments and words as they stream, in rows that keep their identity', () => {
    const run = record(begin, stepStarted, requested)
    expect(outline(rowsOf(run.state, new Set(['tools'])))).toEqual([
      'tools: Tools',
      'step: Step 1',
      '  thought: Waiting for the model',
    ])
    run.tell({ type: 'text.delta', text: 'I run' })
    run.tell({ type: 'call.delta', callId: list.id, name: list.name, argsText: 'a' })
    const streaming = rowsOf(run.state, none)
    expect(streaming.find((each) => each.kind === 'call')).toMatchObject({
      id: list.id,
      detail: 'a',
      tone: 'working',
      bar: null,
    })
    run.tell(answered({ text: 'I run it', calls: [list] }), callStarted(list, 'tools/0'))
    const running = rowsOf(run.state, none)
    expect(running.map((each) => each.id)).toEqual(streaming.map((each) => each.id))
    expect(running.find((each) => each.kind === 'call')?.bar).toMatchObject({ kind: 'tool', end: null })
  })

  it('splits the model’s bar where its first word came', () => {
    const run = record(begin, stepStarted, requested)
    const bar = () => rowsOf(run.state, none).find((each) => each.id === 'step-1-model')?.bar
    expect(bar()).toMatchObject({ start: 3_000, end: null, firstAt: null })
    run.tell({ type: 'text.delta', text: 'I' })
    expect(bar()).toMatchObject({ firstAt: 4_000, end: null })
    run.tell(answered({ text: 'I am done' }))
    expect(bar()).toMatchObject({ firstAt: 3_400, end: 5_000 })
  })

  it('shows a tool’s progress until its observation is there', () => {
    const run = record(
      begin,
      stepStarted,
      requested,
      answered({ calls: [list] }),
      callStarted(list, 'tools/0'),
    )
    run.tell({ type: 'call.progressed', callId: list.id, text: 'reading …' })
    expect(rowsOf(run.state, none).at(-1)).toMatchObject({ kind: 'observation', title: 'reading …' })
    run.tell(callFinished(list, 'tools/0', { text: 'orders' }))
    expect(rowsOf(run.state, none).at(-1)).toMatchObject({ kind: 'observation', title: 'orders' })
  })

  it('says of a table how large it is, and of one row what stands in it', () => {
    const run = record(begin, stepStarted, requested, answered({ calls: [list, sql] }))
    const table = (rows: (string | number)[][]) => [
      { type: 'table' as const, columns: ['country', 'revenue'], rows },
    ]
    for (const [call, rows] of [
      [
        list,
        [
          ['Norway', 1],
          ['Chile', 2],
        ],
      ],
      [sql, [['Norway', 1]]],
    ] as const) {
      run.tell(callStarted(call, 'tools/0'), {
        type: 'call.finished',
        callId: call.id,
        name: call.name,
        node: 'tools/0',
        status: 'ok',
        code: null,
        result: { blocks: table(rows.map((each) => [...each])), text: '| country | revenue |' },
        durationMs: 4,
        attempts: 1,
      })
    }
    const seen = rowsOf(run.state, none).filter((each) => each.kind === 'observation')
    expect(seen.map((each) => each.title)).toEqual([
      '2 rows: country, revenue',
      'country: Norway, revenue: 1',
    ])
  })

  it('reads a finished step once, whatever comes after it', () => {
    const run = wholeRun()
    const before = rowsOf(run.state, none)
    run.tell(stepStarted, requested, { type: 'text.delta', text: 'Nor' })
    const after = rowsOf(run.state, none)
    for (const [index, each] of before.entries()) {
      if (each.step === 1) expect(after[index]).toBe(each)
    }
  })

  it('grows no bar and spins nothing once a run is over, however it ended', () => {
    const cut = record(
      begin,
      stepStarted,
      requested,
      answered({ calls: [list] }),
      callStarted(list, 'tools/0'),
    )
    cut.tell(runFinished('cancelled', null))
    const asked = record(begin, stepStarted, requested, runFinished('failed', null))
    for (const { state } of [cut, asked]) {
      for (const each of rowsOf(state, none)) {
        expect(each.tone, each.id).not.toBe('working')
        expect(each.bar?.end, each.id).not.toBe(null)
      }
    }
    expect(rowsOf(asked.state, none).at(-1)).toMatchObject({
      kind: 'notice',
      title: 'Empty answer',
      detail: expect.stringContaining('The model said nothing.'),
    })
  })

  it('tells what the window left out, and what was mended while the answer was read', () => {
    const run = record(
      begin,
      stepStarted,
      { type: 'context.truncated', messages: { kept: 12, dropped: 3 } },
      requested,
      { type: 'protocol.warned', warnings: ['A call gave its arguments twice; the first ones are used.'] },
      answered({ text: 'Norway.' }),
    )
    expect(rowsOf(run.state, new Set(['tools'])).slice(2)).toMatchObject([
      { kind: 'notice', title: 'The oldest 3 messages left out', detail: expect.stringContaining('12 kept') },
      { kind: 'answer', title: 'Norway.' },
      { kind: 'notice', detail: 'A call gave its arguments twice; the first ones are used.' },
    ])
  })

  it('shows what a step cost only where a price is known, and marks tokens we counted ourselves', () => {
    const usage = { input: 9, output: 1 }
    const told = { ...answered({ text: 'Norway.' }), usage: { ...usage, estimated: true }, costUsd: 0.0012 }
    const step = (body: typeof told) =>
      rowsOf(record(begin, stepStarted, requested, body as ReturnType<typeof answered>).state, none).find(
        (each) => each.kind === 'step',
      )
    expect(step(told)).toMatchObject({ tokens: 10, isEstimated: true, cost: 0.0012 })
    expect(step({ ...told, usage } as typeof told)?.isEstimated).toBe(undefined)
    expect(rowsOf(wholeRun().state, none)[2]).toMatchObject({ kind: 'step', cost: null })
  })

  it('says at a step how much of its input came from the cache, and what that saved', () => {
    const usage = { input: 13_100, output: 1, cached: 12_400 }
    const tailOf = (more: object) =>
      rowsOf(
        record(begin, stepStarted, requested, { ...answered({ text: 'Norway.' }), ...more }).state,
        none,
      ).find(({ kind }) => kind === 'step')?.tail
    expect(tailOf({ usage, savedUsd: 0.03 })).toBe('12,400 of 13,100 tokens from cache, saved $0.0300')
    expect(tailOf({ usage })).toBe('12,400 of 13,100 tokens from cache')
    expect(tailOf({})).toBeUndefined()
  })

  it('lists a file under the call that made it', () => {
    const artifact = {
      id: 'artifact_1',
      name: 'q3.csv',
      path: 'reports/q3.csv',
      mediaType: 'text/csv',
      bytes: 1_420,
    }
    const run = record(
      begin,
      stepStarted,
      requested,
      answered({ calls: [list] }),
      callStarted(list, 'tools/0'),
    )
    run.tell({ type: 'artifact.created', callId: list.id, artifact }, callFinished(list, 'tools/0'))
    expect(rowsOf(run.state, none).at(-1)).toMatchObject({
      kind: 'file',
      depth: 2,
      title: 'reports/q3.csv',
      detail: '1.42 kB',
    })
  })

  it('calls a cut answer a caution, and a budget a limit', () => {
    const cut = record(begin, stepStarted, requested, answered({ text: 'Nor' }), stepFinished)
    cut.tell({
      ...runFinished('completed', 'Nor'),
      error: { code: 'truncated', message: 'It may be incomplete.' },
    } as ReturnType<typeof runFinished>)
    expect(rowsOf(cut.state, none).at(-1)).toMatchObject({ kind: 'notice', tone: 'plain' })
    const message = 'The budget of 3 calls is used up.'
    const spent = record(begin, {
      ...runFinished('completed', null),
      status: 'budget',
      error: { code: 'budget', message },
    } as ReturnType<typeof runFinished>)
    const told = { title: 'Budget spent', detail: expect.stringContaining(message), tone: 'denied' }
    expect(rowsOf(spent.state, none).at(-1)).toMatchObject(told)
  })

  it('marks a closing answer as such', () => {
    const run = wholeRun()
    run.tell(
      { type: 'run.summarizing', reason: 'step limit' },
      stepStarted,
      requested,
      answered({ text: 'So far.' }),
    )
    expect(rowsOf(run.state, none).some((each) => each.title === 'Closing answer')).toBe(true)
  })

  it('says what calls beside the stream saved, and which came from the cache', () => {
    const part = { type: 'call', id: list.id, name: list.name, rawArgs: '{}', args: {} } as const
    const run = record(begin, stepStarted, requested, { type: 'call.sealed', parts: [part] })
    run.tell(callStarted(list, 'tools/0'), callFinished(list, 'tools/0', { text: 'orders' }))
    run.tell(answered({ calls: [list, sql] }))
    const finished = callFinished(sql, 'tools/1', { text: '1' })
    run.tell({ ...finished, cached: true } as typeof finished, stepFinished)
    const rows = rowsOf(run.state, none)
    expect(rows.find(({ kind }) => kind === 'thought')?.tail).toBe('parallel calls saved 1.00 s')
    expect(rows.filter(({ kind }) => kind === 'call').map(({ tail }) => tail)).toEqual([
      undefined,
      'from the cache',
    ])
  })

  it('E-24 marks the call whose answer does not count, when a later one of its step gives another', () => {
    const run = record(begin, stepStarted, requested, answered({ calls: [list, sql] }))
    run.tell(callStarted(list, 'tools/0'), callFinished(list, 'tools/0'))
    expect(rowsOf(run.state, none).find(({ id }) => id === list.id)?.tail).toBeUndefined()
    const later = callFinished(sql, 'tools/1')
    run.tell(callStarted(sql, 'tools/1'), { ...later, replaces: list.id } as typeof later)
    expect(rowsOf(run.state, none).find(({ id }) => id === list.id)?.tail).toContain(
      'replaced by a later call',
    )
    expect(rowsOf(run.state, none).find(({ id }) => id === sql.id)?.tail).toBeUndefined()
  })

  it('gives every row of a run its own identity', () => {
    const ids = rowsOf(wholeRun().state, none).map((each) => each.id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
