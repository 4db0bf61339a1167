import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { took } from '#lib/spec/took.fixture'
import { oneRead } from './sql-guard'

describe('the guard on statements', () => {
  it.each([
    'select 1',
    'SELECT 1;',
    '\uFEFF  select 1 ; -- done;\n /* and; done */ ;',
    'with x as (select 1) select * from x',
    'values (1), (2)',
    'explain query plan select 1',
    'select \'attach; pragma vacuum\' as "pragma", [detach] from `vacuum`',
    "select 'it''s; fine'",
    'select a -- ; delete\nfrom b',
    'select * from pragma_table_info(?)',
    'select attachments, pragmatic from vacuums',
  ])('lets %s through', (sql) => {
    expect(oneRead(sql)).toMatchObject({ ok: true })
  })

  it('T45 gives SQLite the first statement alone, without what follows it', () => {
    expect(oneRead('\uFEFFselect 1 ;; -- x')).toEqual({ ok: true, value: 'select 1 ' })
  })

  it.each([
    ['', 'There is no statement.'],
    ['-- only a comment', 'There is no statement.'],
    ['delete from a', 'Only a SELECT may run here, and this begins with "DELETE".'],
    ['(select 1)', 'Only a SELECT may run here, and this begins with "(".'],
    ['select 1; select 2', 'Only one statement may run at a time.'],
    ["select 1; attach 'x' as y", 'Only one statement may run at a time.'],
    ['select 1 /* open', undefined],
    ["select * from a where 'open", undefined],
    ['select 1 from a, attach', 'ATTACH may not be used here; put a name in double quotes.'],
    ['select pragma_query_only()', 'pragma_query_only may not be used here.'],
    ['select `load_extension`(1)', 'load_extension may not be used here.'],
    ['select 1\0; delete from a', 'The statement contains a NUL character.'],
    ['select '.padEnd(100_001, '1'), 'The statement is longer than 100000 characters.'],
  ])('T45 %j', (sql, error) => {
    const answer = oneRead(sql)
    if (error !== undefined) expect(answer).toEqual({ ok: false, error })
  })

  it('T45 takes time that grows with the length alone', () => {
    for (const piece of ["'", '"', '[', '/*', '--', '`', "''", ' ', ';']) {
      const sql = `select ${piece.repeat(Math.floor(90_000 / piece.length))}`
      expect(
        took(() => oneRead(sql)),
        piece,
      ).toBeLessThan(1_000)
    }
  })

  it('T45 never lets a second statement pass, however pieces are put together', () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '[',
      ']',
      '--',
      '\n',
      '/*',
      '*/',
      ';',
      ' ',
      'select',
      'attach',
      'x',
      '1',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const answer = oneRead(`select 1 ${pieces.join('')}`)
        if (answer.ok) expect(answer.value.startsWith('select 1 ')).toBe(true)
      }),
    )
  })
})
