import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillAddress, marksIn } from './http-address'

describe('the address of a request', () => {
  test('names its marks once, in their order', () => {
    expect(marksIn('https://a.test/{b}/{c}?d={b}')).toEqual(['b', 'c'])
  })

  test('any path value stays one segment of the path, or is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (id) => {
        const filled = fillAddress('https://a.test/users/{id}/notes?of={id}', () => id)
        if (!filled.ok) return
        const url = new URL(filled.value)
        expect(url.origin).toBe('https://a.test')
        const segments = url.pathname.split('/')
        expect(segments).toHaveLength(4)
        expect([decodeURIComponent(segments[2] ?? ''), segments[3]]).toEqual([
          id.replace(/\p{Surrogate}/gu, '�'),
          'notes',
        ])
        expect(url.searchParams.get('of')).toBe(id.replace(/\p{Surrogate}/gu, '�'))
        expect(url.hash).toBe('')
      }),
    )
  })

  test('a value may not complete a segment of dots', () => {
    expect(fillAddress('https://a.test/x/.{end}/y', () => '.')).toMatchObject({ ok: false })
    expect(fillAddress('https://a.test/x/{end}{end}', () => '.')).toMatchObject({ ok: false })
    expect(fillAddress('https://a.test/x/.{end}', () => 'env')).toEqual({
      ok: true,
      value: 'https://a.test/x/.env',
    })
  })

  test('a value of a query may be missing, and one of the path may not', () => {
    expect(fillAddress('https://a.test/?q={q}', () => undefined)).toEqual({
      ok: true,
      value: 'https://a.test/?q=',
    })
    expect(fillAddress('https://a.test/{q}', () => undefined)).toMatchObject({ ok: false })
  })

  test('a list is joined with commas, and other values are written as JSON', () => {
    expect(fillAddress('https://a.test/{v}', () => ['a', 1, true])).toMatchObject({
      value: 'https://a.test/a%2C1%2Ctrue',
    })
    expect(fillAddress('https://a.test/{v}', () => 12)).toMatchObject({ value: 'https://a.test/12' })
  })
})
