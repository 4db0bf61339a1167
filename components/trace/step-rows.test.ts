import { describe, expect, it } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import { rowsOf } from './rows'
import {
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
import { createTraceList } from './trace-list'

const none: ReadonlySet<string> = new Set()

describe('the rows of a call in the background (S4-42)', () => {
  it('change after their step has finished, and the step that reads the result says so', () => {
    const sql = { id: 'call_1_1', name: 'sql.execute', args: { sql: 'SELECT 1' } }
    const detached = { ...callStarted(sql, 'tools/0'), background: 'Started.' } as EventBody // cast: the fixture makes a call.started
    const run = record(begin, stepStarted, requested, answered({ calls: [sql] }), detached, stepFinished)
    const list = createTraceList()
    const look = { folded: none, keep: null, opened: new Map<string, number>(), rowHeight: 26 }
    const rows = () => list(run.state, look).chunks.flatMap((chunk) => chunk.rows)
    const call = () => rows().find(({ id }) => id === sql.id)
    expect(call()).toMatchObject({ tone: 'working', tail: 'in the background', ms: null })
    run.tell(stepStarted, requested)
    expect(call()).toMatchObject({ tone: 'working' })
    run.tell(callFinished(sql, 'tools/0', { text: 'one row' }))
    expect(call()).toMatchObject({ tone: 'ok', tail: 'in the background', ms: 41 })
    run.tell(answered({ text: 'Norway.' }), stepFinished, stepStarted)
    expect(rows().at(-1)).toMatchObject({
      title: 'Result of sql.execute, from the background',
      detail: 'one row',
    })
  })
})

describe('the rows of what a model says and of its failed attempts', () => {
  it('tells each failed attempt, counts down to the next, and says which attempt answered', () => {
    const failed = (attempt: number, waitMs: number) =>
      ({ type: 'model.retried', attempt, code: 'overloaded', reason: 'It is overloaded.', waitMs }) as const
    const run = record(begin, stepStarted, requested, failed(1, 3_000))
    const rows = () => rowsOf(run.state, new Set(['tools'])).slice(2)
    expect(rows()).toEqual([
      expect.objectContaining({
        kind: 'retry',
        title: 'Attempt 1 failed',
        detail: 'It is overloaded.',
        until: 7_000,
      }),
    ])
    run.tell({ ...requested, attempt: 2 } as typeof requested, failed(2, 0))
    run.tell({ ...requested, attempt: 3 } as typeof requested, answered({ text: 'Norway.' }))
    expect(rows().map(({ title, tail, until }) => [title, tail, until])).toEqual([
      ['Attempt 1 failed', 'waits 3 s', undefined],
      ['Attempt 2 failed', 'retried at once', undefined],
      ['Norway.', 'attempt 3', undefined],
    ])
    const ids = rows().map((each) => each.id)
    expect(new Set(ids).size).toBe(3)
  })

  it('awaits nothing once a run has ended between two attempts', () => {
    const run = record(begin, stepStarted, requested)
    run.tell({ type: 'model.retried', attempt: 1, code: 'http', reason: 'No.', waitMs: 60_000 })
    run.tell(runFinished('cancelled', null))
    expect(rowsOf(run.state, none).every((each) => each.until === undefined)).toBe(true)
  })

  it('draws the wait before the next attempt as a bar of its own', () => {
    const run = record(begin, stepStarted, requested)
    run.tell({ type: 'model.retried', attempt: 1, code: 'rate_limited', reason: 'x', waitMs: 3_000 })
    const at = run.state.steps[0]?.retries[0]?.at ?? 0
    const pauses = () => rowsOf(run.state, none).find(({ kind }) => kind === 'retry')?.beside
    expect(pauses()).toEqual([{ kind: 'pause', start: at, end: null }])
    run.tell({ ...requested, attempt: 2 } as typeof requested)
    expect(pauses()).toEqual([{ kind: 'pause', start: at, end: at + 3_000 }])
  })

  it('shows the end of a text while it grows, and its beginning once it is complete', () => {
    const run = record(begin, stepStarted, requested)
    run.tell({ type: 'reasoning.delta', text: `First I look. ${'Then I think. '.repeat(50)}` })
    const model = () => rowsOf(run.state, none).find(({ kind }) => kind === 'thought' || kind === 'answer')
    expect(model()).toMatchObject({ isTail: true })
    expect(model()?.title).toMatch(/Then I think\.$/)
    run.tell({ type: 'text.delta', text: 'It is' })
    expect(model()?.title).toBe('It is')
    run.tell(answered({ text: 'It is 4.' }))
    expect(model()).toMatchObject({ title: 'It is 4.' })
    expect(model()).not.toHaveProperty('isTail')
  })

  it('shows a wait that no request caused as a pause', () => {
    const run = record(begin, stepStarted)
    run.tell({ type: 'model.retried', attempt: 1, code: 'resting', reason: 'It rests.', waitMs: 500 })
    expect(rowsOf(run.state, none).at(-1)).toMatchObject({ kind: 'retry', title: 'Paused', ms: 500 })
  })
})

describe('S4-04 the result of a call that ended the run', () => {
  const call = { id: 'call_1_1', name: 'finish' }
  const ended = callFinished(call, 'tools/0', { text: 'It is Norway.' })
  const rowsAfter = (finished: typeof ended, answer: string | null) =>
    rowsOf(
      record(
        begin,
        stepStarted,
        requested,
        answered({ calls: [call] }),
        callStarted(call, 'tools/0'),
        finished,
        runFinished('completed', answer),
      ).state,
      none,
    )

  it('is shown once, as the answer', () => {
    const rows = rowsAfter({ ...ended, final: { answer: 'It is Norway.' } } as typeof ended, 'It is Norway.')
    expect(rows.filter(({ title }) => title === 'It is Norway.').map(({ kind }) => kind)).toEqual(['answer'])
    expect(rows.map(({ kind }) => kind)).toContain('call')
  })

  it('is shown under its call when it did not end the run', () => {
    const rows = rowsAfter(ended, null)
    expect(rows.filter(({ title }) => title === 'It is Norway.').map(({ kind }) => kind)).toEqual([
      'observation',
    ])
  })
})

describe('S1-28 a cut of the run’s own steps', () => {
  const cut: Extract<EventBody, { type: 'context.compacted' }> = {
    type: 'context.compacted',
    how: 'both',
    from: 1,
    to: 3,
    calls: ['call_4_1', 'call_5_1'],
    tokensBefore: 9_000,
    tokensAfter: 4_000,
    summary: 'Three pages were read.',
    usage: { input: 100, output: 10 },
    model: { provider: 'anthropic', name: 'model-small' },
  }
  const rowOf = (event: EventBody) =>
    rowsOf(record(begin, stepStarted, event, requested).state, none).find(({ id }) => id === 'step-1-cut-0')

  it('says what was cut, why, how large the request was, and who wrote the summary', () => {
    const found = rowOf(cut)
    expect(found?.title).toBe('Steps 1 to 3 summed up, 2 old results taken out')
    for (const words of [
      'near the end of the model’s context window. 9,000 tokens before, about 4,000 after.',
      'Taken out: the results of call_4_1, call_5_1.',
      'Written by model-small.',
      'Steps 1 to 3:\nThree pages were read.',
    ])
      expect(found?.words).toContain(words)
    expect(found?.edit).toBe('summary')
  })

  it('offers no other summary where there is none', () => {
    const { summary: _, usage: __, model: ___, ...cleared } = cut
    expect(rowOf(cleared)?.edit).toBeUndefined()
  })
})

describe('what a step was told', () => {
  it('S4-41 shows what the model was told when its words did not end the run', () => {
    const run = record(begin, stepStarted, requested, answered({ text: 'I think so.' }), stepFinished)
    run.tell({ type: 'step.started', maxSteps: 10, said: 'Your words alone do not end this run.' }, requested)
    expect(rowsOf(run.state, none).find(({ id }) => id === 'step-2-told')).toMatchObject({
      kind: 'notice',
      detail: 'Your words alone do not end this run.',
    })
  })

  it('E-37 shows what a person said at the step that read it, and after the end what no step read', () => {
    const run = record(begin, stepStarted, requested, { type: 'run.steered', text: 'Only Europe.' })
    run.tell(
      answered({ text: 'I think so.' }),
      stepFinished,
      { type: 'step.started', maxSteps: 10 },
      requested,
    )
    const said = { kind: 'notice', title: 'You said', detail: 'Only Europe.' }
    expect(rowsOf(run.state, none).find(({ id }) => id === 'step-2-said-0')).toMatchObject(said)
    run.tell({ type: 'run.steered', text: 'And Asia.' }, runFinished('completed', 'Yes.'))
    expect(rowsOf(run.state, none).find(({ id }) => id === 'unread-0')).toMatchObject({ detail: 'And Asia.' })
  })
})
