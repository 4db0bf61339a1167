/** Names cut in their middle. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namePieces } from './name-pieces'

describe('a name that may be cut', () => {
  it.each([
    ['part_110', { head: 'part_', tail: '110', brief: 'part_110' }],
    ['part_111', { head: 'part_', tail: '111', brief: 'part_111' }],
    ['orders_by_customer', { head: 'orders_by_cust', tail: 'omer', brief: 'orders_by_customer' }],
    [
      'search_documents_of_team_7',
      { head: 'search_documents_of_te', tail: 'am_7', brief: 'search_docu…_of_team_7' },
    ],
  ])('keeps the two ends of %s', (name, pieces) => {
    expect(namePieces(name)).toEqual(pieces)
  })

  it('is left whole when it is short, made of words, or written from right to left', () => {
    for (const name of ['', 'sql', 'part_11', 'Shorten results', 'חיפוש_במסמכים', 'البحث_في_الوثائق'])
      expect(namePieces(name)).toBeUndefined()
  })

  it('keeps an accent and a flag together with what they belong to', () => {
    expect(namePieces('plan_for_cafe\u0301')).toMatchObject({ head: 'plan_for_', tail: 'cafe\u0301' })
    expect(namePieces('weather_🇳🇱')).toMatchObject({ head: 'weathe', tail: 'r_🇳🇱' })
  })

  it('has two pieces that are the name, and a brief form with both of its ends', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (name) => {
        const pieces = namePieces(name)
        if (pieces === undefined) return
        const { head, tail, brief } = pieces
        expect(head + tail).toBe(name)
        expect(brief === name || (brief.endsWith(tail) && brief.includes('…'))).toBe(true)
      }),
    )
  })
})
