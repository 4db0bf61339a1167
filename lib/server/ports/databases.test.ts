import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database } from '#lib/sqlite/driver'
import { createPorts } from './ports'

let data = ''
beforeAll(() => {
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-data-'))
})
afterAll(() => fs.rmSync(data, { recursive: true, force: true }))

describe('the databases of a server', { timeout: 30_000 }, () => {
  it('make the sample on first use, once for all who ask, and never before', async () => {
    const { shared: ports, close } = createPorts({ data })
    const sample = path.join(data, 'databases', 'retail.db')
    expect(ports.sql.databases()).toEqual(['retail'])
    expect(fs.existsSync(sample)).toBe(false)
    const ask = () =>
      ports.sql.query(
        { database: 'retail', sql: 'select count(*) from invoices' },
        new AbortController().signal,
      )
    const answers = await Promise.all([ask(), ask(), ask()])
    close()
    for (const answer of answers) expect(answer).toMatchObject({ ok: true, value: { rows: [[12_000]] } })
    expect(fs.readdirSync(path.dirname(sample))).toEqual(['retail.db'])
  })

  it('hold what is registered, as it is at each moment', async () => {
    const file = path.join(data, 'own.db')
    new Database(file).exec('create table t(a); insert into t values (7)').close()
    const registered: Record<string, string> = {}
    const { shared: ports, close } = createPorts({ data, registered: () => registered })
    registered.own = file
    registered.lost = path.join(data, 'lost.db')
    expect(ports.sql.databases()).toEqual(['lost', 'own', 'retail'])
    const ask = (database: string) =>
      ports.sql.query({ database, sql: 'select a from t' }, new AbortController().signal)
    expect(await ask('own')).toMatchObject({ ok: true, value: { rows: [[7]] } })
    expect(await ask('lost')).toMatchObject({
      ok: false,
      code: 'unavailable',
      message: 'The database "lost" cannot be opened: its file is missing.',
    })
    close()
  })
})
