import { expect, test } from 'vitest'
import { findingsOf } from './database-words'

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
