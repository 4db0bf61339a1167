/** The SQLite driver: better-sqlite3, in the version that fits this Node. */
import { createRequire } from 'node:module'
import type BetterSqlite3 from 'better-sqlite3'
import { sqlitePackage } from './package.mjs'

/** Opens a file as a database. A native module cannot be part of a bundle, so it is loaded from node_modules. */
export const Database: typeof BetterSqlite3 = createRequire(import.meta.url)(sqlitePackage)

/** An open database. */
export type SqliteConnection = BetterSqlite3.Database

/** A compiled statement with any number of parameters. */
export type SqliteStatement = BetterSqlite3.Statement<unknown[]>
