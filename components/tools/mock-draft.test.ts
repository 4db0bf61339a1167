import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Mock, mock } from '#lib/spec/mock'
import { draftOf, mockIn } from './mock-draft'
import { mockSentence } from './mock-words'

const failure = { code: 'busy', message: 'Busy.', mayPass: false }

const mocks: fc.Arbitrary<Mock> = fc.record(
  {
    answer: fc.oneof(
      fc.record({
        kind: fc.constant('fixed' as const),
        text: fc.string(),
        format: fc.constant('text' as const),
      }),
      fc.constant({ kind: 'echo' as const }),
      fc.constant({ kind: 'recorded' as const, runId: 'run_1' }),
    ),
    delayMs: fc.integer({ min: 1, max: 600_000 }),
    failure: fc.record({ ...constants(failure), times: fc.integer({ min: 1, max: 1_000 }) }),
  },
  { requiredKeys: ['answer'] },
)

function constants<T extends object>(value: T) {
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, fc.constant(each)]),
  ) as unknown as { [K in keyof T]: fc.Arbitrary<T[K]> } // cast: an arbitrary for each key
}

describe('issue 18.8 the form of a mock', () => {
  it('gives back every mock that it was opened with', () => {
    fc.assert(
      fc.property(mocks, (each) => {
        expect(mock.safeParse(each).success).toBe(true)
        expect(mockIn(draftOf(each))).toEqual({ ok: true, mock: each })
      }),
    )
  })

  it('says in each field what does not fit', () => {
    const refused = (more: object) => {
      const read = mockIn({ ...draftOf(undefined), ...more })
      return read.ok ? [] : Object.keys(read.refusals)
    }
    expect(refused({})).toEqual([])
    expect(refused({ format: 'json', text: '{' })).toEqual(['text'])
    expect(refused({ kind: 'recorded' })).toEqual(['runId'])
    expect(refused({ delayMs: -1 })).toEqual(['delayMs'])
    expect(refused({ delayMs: 0.5 })).toEqual(['delayMs'])
    expect(refused({ fails: 'first', times: undefined })).toEqual(['times'])
    expect(refused({ fails: 'always', code: 'No Code', message: '' })).toEqual(['code', 'message'])
    expect(refused({ fails: 'always', kind: 'recorded' })).toEqual([])
  })

  it('says in a sentence what it does', () => {
    const fixed = { kind: 'fixed', text: '4', format: 'text' } as const
    expect(mockSentence({ answer: fixed, delayMs: 2_000 })).toBe('Calls get the fixed result after 2 s.')
    expect(mockSentence({ answer: { kind: 'echo' }, failure: { ...failure, times: 1 } })).toBe(
      'The first try of a run fails with busy. Then calls get their own arguments.',
    )
    expect(mockSentence({ answer: fixed, failure })).toBe('Every call fails with busy.')
  })
})
