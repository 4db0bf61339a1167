import { expect, test } from 'vitest'
import type { ConnectionView } from '#lib/wire/databases'
import { connectionIn, draftOf, emptyDraft, faultsOf, isComplete, tlsOf } from './connection-draft'

const full = { ...emptyDraft, name: 'sales', host: 'db.example.com', database: 'shop', user: 'reader' }

test('a draft becomes a connection with the usual values, and back', () => {
  expect(connectionIn(full)).toEqual({
    ...{ kind: 'postgresql', host: 'db.example.com', port: 5432, database: 'shop', user: 'reader' },
    ...{ tls: 'verify', statementSeconds: 60, write: null },
  })
  const given: ConnectionView = {
    ...{ kind: 'postgresql', host: '::1', port: 6000, database: 'shop', user: 'reader', tls: 'unverified' },
    ...{ statementSeconds: 5, password: null, write: { user: 'writer', password: null } },
  }
  const { password: _, write, ...rest } = given
  expect(connectionIn(draftOf('sales', given))).toEqual({ ...rest, write: { user: write?.user } })
})

test.each([
  ['db.example.com', 'verify'],
  ['127.0.0.1', 'off'],
  ['localhost', 'off'],
  ['::1', 'off'],
  ['127.example.com', 'verify'],
])('the encryption of %s is %s unless a person chooses', (host, tls) => {
  expect(tlsOf({ host, tls: undefined })).toBe(tls)
  expect(tlsOf({ host, tls: 'unverified' })).toBe('unverified')
})

test('a draft is complete once every field that it needs is there', () => {
  expect(isComplete(full)).toBe(true)
  expect(isComplete({ ...full, user: ' ' })).toBe(false)
  expect(isComplete({ ...full, mayWrite: true })).toBe(false)
  expect(isComplete({ ...full, mayWrite: true, writeUser: 'writer' })).toBe(true)
  expect(isComplete({ ...full, port: 70_000 })).toBe(false)
})

test('what is wrong is said next to its field, and nothing of an empty one', () => {
  expect(faultsOf(emptyDraft)).toEqual({})
  expect(
    Object.keys(faultsOf({ ...full, name: 'Sales!', host: 'postgres://x', port: 1.5, certificate: 'x' })),
  ).toEqual(['name', 'host', 'port', 'certificate'])
})
