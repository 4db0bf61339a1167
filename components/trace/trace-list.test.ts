import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import type { Row } from './row'
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
import { createTraceList, findRow, type Look, rowAt, rowBy, seen, type TraceList } from './trace-list'

const plain: Look = { folded: new Set(), opened: new Map(), keep: null, rowHeight: 24 }

const rowsIn = ({ chunks }: TraceList) => chunks.flatMap((each) => [...each.rows])

interface Plan {
  readonly calls: number
  readonly ruled: boolean
  readonly waits: boolean
  readonly fails: boolean
  readonly words: string
}

const plan = fc.record<Plan>({
  calls: fc.integer({ min: 0, max: 3 }),
  ruled: fc.boolean(),
  waits: fc.boolean(),
  fails: fc.boolean(),
  words: fc.string({ maxLength: 12 }),
})

/** The events of one step, as the engine would emit them. */
function stepOf(number: number, { calls, ruled, waits, fails, words }: Plan): EventBody[] {
  const asked = Array.from({ length: calls }, (_, index) => ({
    id: `call_${number}_${index + 1}`,
    name: index % 2 === 0 ? 'sql.execute' : 'schema.list_tables',
    args: { sql: words },
  }))
  return [
    stepStarted,
    requested,
    ...(fails
      ? [
          { type: 'model.retried' as const, attempt: 1, code: 'http', reason: 'No.', waitMs: 10 },
          { ...requested, attempt: 2 } as EventBody,
        ]
      : []),
    { type: 'text.delta', text: words },
    ...asked.map(({ id, name }) => ({ type: 'call.delta' as const, callId: id, name, argsText: '{"sql":' })),
    answered({ text: words, calls: asked }),
    ...asked.flatMap((each): EventBody[] => {
      const ids = { callId: each.id, tool: each.name }
      return [
        ...(ruled
          ? [
              {
                type: 'policy.ruled' as const,
                ...ids,
                policy: 'risk',
                node: 'policies/0',
                verdict: 'confirm' as const,
                reason: 'It writes.',
              },
            ]
          : []),
        ...(waits
          ? [
              { type: 'approval.requested' as const, ...ids, args: each.args, expiresAt: null },
              {
                type: 'approval.decided' as const,
                callId: each.id,
                decision: 'approve' as const,
                scope: 'call' as const,
                by: 'person' as const,
              },
            ]
          : []),
        callStarted(each, 'tools/0'),
        { type: 'call.progressed', callId: each.id, text: words },
        callFinished(each, 'tools/0', { text: words, status: fails ? 'error' : 'ok' }),
      ]
    }),
    stepFinished,
  ]
}

const runs = fc
  .tuple(fc.array(plan, { maxLength: 5 }), fc.boolean())
  .map(([plans, ends]): EventBody[] => [
    begin,
    ...plans.flatMap((each, index) => stepOf(index + 1, each)),
    ...(ends ? [runFinished('completed', 'Done.')] : []),
  ])

const ids = ['tools', 'step-1', 'step-2', 'step-3', 'call_1_1', 'call_2_1', 'step-1-model']
const isCall = (row: Row) => row.kind === 'call'
const heights = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), fc.nat(600)), { selector: ([id]) => id })
const looks = fc.tuple(fc.subarray(ids), heights, fc.boolean(), fc.constantFrom(24, 44)).map(
  ([folded, opened, filters, rowHeight]): Look => ({
    folded: new Set(folded),
    opened: new Map(opened),
    keep: filters ? isCall : null,
    rowHeight,
  }),
)

describe('the list of rows', () => {
  it('grown event by event equals the one read from scratch, whatever happened and however it is looked at', () => {
    fc.assert(
      fc.property(runs, looks, fc.nat(), looks, (events, look, turn, other) => {
        const run = record()
        const update = createTraceList()
        for (const [index, body] of events.entries()) {
          run.tell(body)
          const shown = index < turn % (events.length + 1) ? look : other
          const list = update(run.state, shown)
          expect(list).toEqual(createTraceList()(run.state, shown))
          if (shown.keep === null) expect(rowsIn(list)).toEqual(rowsOf(run.state, shown.folded))
        }
      }),
      { numRuns: 25 },
    )
  })

  it('stacks rows without gap, opened ones as tall as they were measured, and finds each by place and by name', () => {
    fc.assert(
      fc.property(runs, looks, (events, look) => {
        const list = createTraceList()(record(...events).state, look)
        let top = 0
        for (const [index, row] of rowsIn(list).entries()) {
          expect(rowAt(list, index)).toEqual({ row, index, top })
          expect(findRow(list, row.id)).toEqual({ row, index, top })
          top += look.rowHeight + (look.opened.get(row.id) ?? 0)
        }
        expect(list).toMatchObject({ height: top, count: rowsIn(list).length })
        expect(rowAt(list, list.count)).toBe(undefined)
      }),
      { numRuns: 25 },
    )
  })

  it('draws every row of which any part is in view, wherever one scrolls', () => {
    fc.assert(
      fc.property(runs, looks, fc.nat(3_000), fc.nat(600), (events, look, top, height) => {
        const list = createTraceList()(record(...events).state, look)
        const drawn = new Set(seen(list, { top, height }).map((each) => each.index))
        for (let index = 0; index < list.count; index++) {
          const placed = rowAt(list, index)
          if (placed === undefined) throw new Error(`no row ${index}`)
          const end = placed.top + look.rowHeight + (look.opened.get(placed.row.id) ?? 0)
          if (end > top && placed.top < top + height) expect(drawn.has(index)).toBe(true)
        }
      }),
      { numRuns: 25 },
    )
  })

  it('draws a window of a long list, and leaves steps that are over as they are', () => {
    const words = { calls: 2, ruled: false, waits: false, fails: false, words: 'w' }
    const events = Array.from({ length: 1_000 }, (_, index) => stepOf(index + 1, words)).flat()
    const run = record(begin, ...events)
    const update = createTraceList()
    const before = update(run.state, plain)
    expect(seen(before, { top: 60_000, height: 300 }).length).toBeLessThan(60)
    run.tell(stepStarted, requested, { type: 'text.delta', text: 'Nor' })
    const after = update(run.state, plain)
    for (const at of [0, 1, 500, 1_000]) expect(after.chunks[at]).toBe(before.chunks[at])
  })

  it('keeps of a step what is asked for, under its head, and no step without any', () => {
    const one = { calls: 1, ruled: true, waits: false, fails: false, words: 'w' }
    const run = record(begin, ...stepOf(1, one), ...stepOf(2, { ...one, calls: 0 }))
    const list = createTraceList()(run.state, { ...plain, keep: isCall })
    expect(rowsIn(list).map((each) => each.id)).toEqual(['step-1', 'call_1_1'])
    const folded = createTraceList()(run.state, { ...plain, keep: isCall, folded: new Set(['step-1']) })
    expect(rowsIn(folded).map((each) => each.id)).toEqual(['step-1'])
  })

  it('knows which row a moment belongs to', () => {
    const one = { calls: 1, ruled: false, waits: false, fails: false, words: 'w' }
    const run = record(begin, ...stepOf(1, one))
    const list = createTraceList()(run.state, plain)
    expect(rowBy(list, 0)).toBe(undefined)
    expect(rowBy(list, 3_000)?.row.id).toBe('step-1-model')
    expect(rowBy(list, 99_000)?.row.id).toBe('call_1_1-observation')
  })
})
