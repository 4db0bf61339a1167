import { expect, test } from 'vitest'
import { findingsOf, removalWords } from './database-words'

const found = { ok: true, version: 'PostgreSQL 18.4', role: 'reader', tables: 1, encrypted: true } as const

test('a test of a connection says version, role, tables and encryption', () => {
  expect(findingsOf({ ...found, writable: 0 }, 'read')).toEqual([
    { tone: 'ok', text: 'Reading: PostgreSQL 18.4 · role reader · 1 table · encrypted' },
  ])
})

test('a reading role that may change rows, one that sees nothing, and a writing role that may not write are warned of', () => {
  expect(findingsOf({ ...found, writable: 1 }, 'read').map(({ tone }) => tone)).toEqual(['ok', 'warn'])
  expect(findingsOf({ ...found, tables: 0 }, 'read')[1]?.text).toBe('The role reader sees no table.')
  expect(findingsOf({ ...found, writable: 0 }, 'write')[1]?.tone).toBe('warn')
  expect(findingsOf({ ok: false, message: 'No.' }, 'read')).toEqual([{ tone: 'error', text: 'Reading: No.' }])
})

test('the question before a database is removed names the passwords that are deleted with it', () => {
  const password = (secret: string) => ({ secret, hint: '' })
  const connection = {
    kind: 'postgresql',
    host: 'db',
    port: 5432,
    database: 'shop',
    user: 'reader',
    password: password('DB_SHOP_PASSWORD'),
    tls: 'verify',
    statementSeconds: 60,
    write: { user: 'writer', password: password('DB_SHOP_WRITE_PASSWORD') },
  } as const
  const base = { name: 'shop', path: null, sample: false }
  expect(removalWords({ ...base, connection })).toBe(
    'The passwords DB_SHOP_PASSWORD and DB_SHOP_WRITE_PASSWORD are deleted from this server for good. Agents can no longer use shop. The database itself is not changed.',
  )
  expect(removalWords({ ...base, connection: { ...connection, password: null, write: null } })).not.toContain(
    'password',
  )
  expect(removalWords({ ...base, path: '/a.db' })).toBe(
    'Agents can no longer use shop. The file itself is not deleted.',
  )
})
