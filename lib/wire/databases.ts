/** Databases that SQL tools may read, on the wire. */
import { z } from 'zod'

export const nameForm = 'lowercase letters, digits, single hyphens and underscores, as in "sales-2025"'

export const databaseName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+([_-][a-z0-9]+)*$/, nameForm)

/** Registers a SQLite file on the server's machine; it is opened read-only, and for `sql.write` only if `writable`. */
export const registerDatabase = z.strictObject({
  name: databaseName,
  path: z.string().min(1).max(4_096),
  writable: z.boolean().optional(),
})
export type RegisterDatabase = z.infer<typeof registerDatabase>

/** `verify`: the certificate must be valid for the host. `unverified`: encrypted to whoever answers. `off`: not encrypted. */
export const postgresTls = z.enum(['verify', 'unverified', 'off'])
export type PostgresTlsChoice = z.infer<typeof postgresTls>

const host = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[A-Za-z0-9._:-]+$/, 'a host name or an address, as in db.example.com')
const role = z.string().min(1).max(63)
/** An absent password stays as it is stored. */
const password = z.string().min(1).max(1_024).optional()

/** A connection to a PostgreSQL database. `write` is a second role, which only `sql.write` uses. */
export const saveConnection = z.strictObject({
  kind: z.literal('postgresql'),
  host,
  port: z.int().min(1).max(65_535).default(5432),
  database: z.string().min(1).max(63),
  user: role,
  password,
  tls: postgresTls,
  /** Certificates of authorities in PEM, trusted in place of the system's. */
  certificate: z.string().max(65_536).optional(),
  /** The longest time that the server works on one statement. */
  statementSeconds: z.int().min(1).max(3_600).default(60),
  write: z.strictObject({ user: role, password }).nullable().default(null),
})
export type SaveConnection = z.infer<typeof saveConnection>

/** The password of a role, as it is stored; null when there is none. */
const passwordView = z
  .strictObject({
    secret: z.string(),
    /** The last four characters, if the value is long enough to show them. */
    hint: z.string(),
    /** Why it cannot be used and what to do; absent if it can. */
    problem: z.string().optional(),
  })
  .nullable()
export type PasswordView = z.infer<typeof passwordView>

const connectionView = z.strictObject({
  kind: z.literal('postgresql'),
  host: z.string(),
  port: z.int(),
  database: z.string(),
  user: z.string(),
  password: passwordView,
  tls: postgresTls,
  certificate: z.string().optional(),
  statementSeconds: z.int(),
  write: z.strictObject({ user: z.string(), password: passwordView }).nullable(),
})
export type ConnectionView = z.infer<typeof connectionView>

export const databaseView = z.strictObject({
  name: z.string(),
  /** An absolute path; null for a sample that comes with the product, and for a connection. */
  path: z.string().nullable(),
  /** Whether it comes with the product, so that it cannot be removed. */
  sample: z.boolean(),
  /** Whether `sql.write` may change a file. */
  writable: z.boolean().optional(),
  connection: connectionView.optional(),
})
export type DatabaseView = z.infer<typeof databaseView>

export const databaseList = z.strictObject({ items: z.array(databaseView) })
export type DatabaseList = z.infer<typeof databaseList>

/** Tests a database as it is stored, or with a connection that is not stored. */
export const testDatabase = z.strictObject({ connection: saveConnection.optional() })
export type TestDatabase = z.infer<typeof testDatabase>

/** What one connection found. */
const triedConnection = z.discriminatedUnion('ok', [
  z.strictObject({
    ok: z.literal(true),
    version: z.string(),
    role: z.string().optional(),
    tables: z.int(),
    /** In how many of the tables the role may change rows. */
    writable: z.int().optional(),
    encrypted: z.boolean().optional(),
  }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
])
export type TriedConnection = z.infer<typeof triedConnection>

/** `write` is null where nothing may be written. */
export const databaseTest = z.strictObject({ read: triedConnection, write: triedConnection.nullable() })
export type DatabaseTest = z.infer<typeof databaseTest>
