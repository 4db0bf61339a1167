/** The SQLite driver fits the Node that runs. */
import { expect, test } from 'vitest'
import { Database } from './driver'
import { sqlitePackage, sqlitePackageFor } from './package.mjs'

test('a Node with Node-API 10 gets version 13, one without gets version 12', () => {
  expect(sqlitePackageFor('10')).toBe('better-sqlite3')
  expect(sqlitePackageFor('137')).toBe('better-sqlite3')
  expect(sqlitePackageFor('9')).toBe('better-sqlite3-12')
  expect(sqlitePackageFor(undefined)).toBe('better-sqlite3-12')
})

test('the version for this Node opens a database', () => {
  const database = new Database(':memory:')
  expect(database.prepare('select 1 + 1').pluck().get()).toBe(2)
  database.close()
  expect(sqlitePackage).toBe(sqlitePackageFor(process.versions.napi))
})
