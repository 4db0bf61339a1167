/** Collections as the database keeps and finds them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '#lib/spec/store'
import { type TemporaryStores, temporaryStores } from '../rows.fixture'
import { questionTerms } from '../search-words'

let place: TemporaryStores
let stores: Stores
beforeEach(() => {
  place = temporaryStores()
  stores = place.stores
  for (const name of ['handbook', 'other'])
    stores.knowledge.insert({ id: `col_${name}`, name, description: '', createdAt: 1 })
})
afterEach(() => place.end())

function add(id: string, texts: readonly string[], { name = 'a.md', of = 'handbook' } = {}) {
  const collectionId = `col_${of}`
  const facts = { bytes: 1, chars: 1, passages: null, createdAt: 1 }
  stores.knowledge.insertFile({ id, collectionId, name, kind: 'markdown', ...facts })
  stores.knowledge.addPassages(
    { id, collectionId },
    texts.map((text) => ({ place: 'Refunds', text })),
  )
  return () => stores.knowledge.finishFile(id, texts.length)
}
const found = (query: string, of = ['handbook']) => {
  const ids = of.map((each) => `col_${each}`)
  return stores.knowledge
    .rows(stores.knowledge.find(ids, questionTerms(query), 10).map(({ n }) => n))
    .map(({ file, place: at, text }) => `${file} ${at}: ${text}`)
}

describe('S4-07 a collection', () => {
  it('is searched by its own words and headings, apart from other collections', () => {
    add('file_1', ['Within thirty days.', 'Vouchers later.'])()
    add('file_2', ['Thirty people.'], { of: 'other' })()
    expect(found('thirty days')).toEqual(['a.md Refunds: Within thirty days.'])
    expect(found('refund')).toHaveLength(2)
    expect(found('thirty', ['handbook', 'other'])).toHaveLength(2)
    expect(found('thirty', [])).toEqual([])
  })

  it('shows a file only when all of it is stored, and then in place of the one before', () => {
    add('file_1', ['Old words.'])()
    const finish = add('file_2', ['New words.'])
    expect(found('words')).toEqual(['a.md Refunds: Old words.'])
    finish()
    expect(found('words')).toEqual(['a.md Refunds: New words.'])
    expect(stores.knowledge.files('col_handbook').map(({ id }) => id)).toEqual(['file_2'])
  })

  it('is not crowded out by a file that is still being added', () => {
    add('file_1', ['Old words.'])()
    const finish = add(
      'file_2',
      Array.from({ length: 30 }, () => 'Words, words, words.'),
    )
    expect(found('words')).toEqual(['a.md Refunds: Old words.'])
    expect(stores.knowledge.numbers(['col_handbook'])).toHaveLength(1)
    finish()
    expect(stores.knowledge.numbers(['col_handbook'])).toHaveLength(30)
    expect(stores.knowledge.embedded('m')).toEqual({ rows: 30, done: 0 })
  })

  it('loses what was half stored when the server stopped, and nothing else', () => {
    add('file_1', ['Whole.'])()
    add('file_2', ['Half.'], { name: 'b.md' })
    stores.knowledge.removeUnfinished()
    expect([stores.knowledge.file('file_2'), found('half'), found('whole').length]).toEqual([
      undefined,
      [],
      1,
    ])
  })

  it('goes with its files, passages, words and vectors', () => {
    add('file_1', ['Within thirty days.'])()
    const [row] = stores.knowledge.unembedded('m', 10)
    if (row === undefined) throw new Error('no passage waits for its vector')
    stores.knowledge.putVectors('m', [{ ...row, vector: new Uint8Array([0, 0, 128, 63]) }])
    expect(stores.knowledge.embedded('m')).toEqual({ rows: 1, done: 1 })
    expect(stores.knowledge.numbers(['col_handbook'])).toEqual([row.n])
    expect(stores.knowledge.vectors('m', [row.n])).toHaveLength(1)
    stores.knowledge.remove('col_handbook')
    expect(stores.knowledge.embedded('m')).toEqual({ rows: 0, done: 0 })
    expect(found('thirty')).toEqual([])
    expect(stores.knowledge.finishFile('file_1', 1)).toBe(false)
  })
})
